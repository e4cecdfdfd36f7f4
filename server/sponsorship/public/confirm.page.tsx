import { holdMarks } from '../../../i18n/french-spaces.ts'
import { writtenSum } from '../../charge/money.ts'
import { columnPage, columnStyle } from '../../charge/readers/readers.page.tsx'
import type { NewsletterRow } from '../../http/scope.ts'
import type { Language } from '../../languages.ts'
import type { RenderedPage } from '../../page/render.ts'
import { stylesheet } from '../../page/stylesheet.ts'
import { translator } from '../../translator.ts'
import type { Placement } from '../contract.ts'
import type { SponsorRequest } from './links.ts'
import sponsorSource from './sponsor.page.css?raw'
import { placementNameIn, writtenDay } from './words.ts'

const style = stylesheet(...columnStyle, sponsorSource)

interface Props {
  newsletter: NewsletterRow
  language: Language
  asked: SponsorRequest
  placement: Placement
}

/** Asks for the click that sends a request. Opening the address alone never does. */
export function confirmPage({ newsletter, language, asked, placement }: Props): RenderedPage {
  const t = translator(language)
  const values = {
    sponsor: asked.sponsor,
    newsletter: newsletter.name,
    placement: placementNameIn(placement, language),
    day: writtenDay(asked.day, language),
    sum: writtenSum(asked.amount, asked.currency, language),
  }
  return columnPage({
    ...{ newsletter, language, css: style, title: t('sponsors.confirm.title') },
    children: (
      <>
        <p className="lead">{t('sponsors.confirm.text', values)}</p>
        <p>
          {t('sponsors.confirm.from', { from: [asked.contact, asked.email].filter(Boolean).join(', ') })}
          {asked.message ? (
            <>
              <br />
              {t('sponsors.confirm.message')}
            </>
          ) : null}
        </p>
        {asked.message ? <blockquote className="sponsor-said">{holdMarks(asked.message)}</blockquote> : null}
        <form method="post">
          <p>
            <button type="submit" className="button full-width-on-phones">
              {t('sponsors.confirm.button')}
            </button>
          </p>
        </form>
      </>
    ),
  })
}
