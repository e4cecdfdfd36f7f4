import { Button, SegmentedControl } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { studioPaths } from '../../server/http/studio-paths.ts'
import { drawQrCode, exportLinkClicks, updateShortLink } from '../../server/links/contract.ts'
import { addressOf, call } from '../api.ts'
import { dayOf } from '../day.ts'
import { useFormat } from '../format.ts'
import { useLanguage } from '../language.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { ConfirmDelete } from '../ui/confirm-delete.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { IconDownload } from '../ui/icons.ts'
import { PageTitle } from '../ui/page-title.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { Section } from '../ui/section.tsx'
import { shownTitle } from '../ui/shown-title.ts'
import { ChangeLinkDialog } from './change-link-dialog.tsx'
import { ClicksChart } from './clicks-chart.tsx'
import { ClicksOff } from './clicks-off.tsx'
import { NotAllAlong } from './counts.tsx'
import { Facets } from './facets.tsx'
import classes from './links.module.css'
import { type LinkFigures, linkQuery } from './queries.ts'
import { useRuleWords } from './rule-words.ts'
import { isOver, StandingOfLink } from './standing-of-link.tsx'

const ranges = ['2', '30', '365'] as const
type Range = (typeof ranges)[number]
const DAY_MS = 86_400_000

/** The days of a range up to today, as the server counts them. */
const askedOf = (range: Range, timezone: string) => ({
  by: range === '2' ? ('hour' as const) : ('day' as const),
  from: dayOf(new Date(Date.now() - (Number(range) - 1) * DAY_MS), timezone),
})

/** A short link: what came of it, why some clicks do not count, and where it leads. */
export function LinkPage() {
  const { t } = useTranslation()
  const sheet = useLanguage()
  const newsletter = useNewsletter()
  const { linkId = '' } = useParams()
  const [range, setRange] = useState<Range>('30')
  const asked = askedOf(range, newsletter.timezone)
  const query = useQuery(linkQuery(newsletter.id, linkId, asked))
  return (
    <QueryContent query={query} list={{ to: studioPaths.links, label: t('shell.titles.links') }}>
      {(figures) => (
        <>
          <Head
            figures={figures}
            csv={addressOf(exportLinkClicks, { newsletterId: newsletter.id, linkId }, { ...asked, sheet })}
          />
          <div className={classes.columns}>
            <div>
              <Section
                title={t(range === '2' ? 'links.byHour' : 'links.byDay')}
                aside={
                  <SegmentedControl
                    size="xs"
                    aria-label={t('links.range')}
                    value={range}
                    onChange={(value) => setRange(ranges.find((each) => each === value) ?? '30')}
                    data={ranges.map((value) => ({ value, label: t(`links.ranges.${value}`) }))}
                  />
                }
              >
                <Numbers figures={figures} />
                <ClicksChart figures={figures} />
                <NotAllAlong began={figures.link.createdAt} />
              </Section>
              <Excluded figures={figures} />
              <Facets figures={figures} />
            </div>
            <Side figures={figures} />
          </div>
        </>
      )}
    </QueryContent>
  )
}

function Head({ figures: { link, publication }, csv }: { figures: LinkFigures; csv: string }) {
  const { t } = useTranslation()
  const { id, may } = useNewsletter()
  const queries = useQueryClient()
  const [isChanging, changing] = useDisclosure(false)
  const [isAsking, asking] = useDisclosure(false)
  const set = async (disabled: boolean) => {
    await call(updateShortLink, { params: { newsletterId: id, linkId: link.id }, body: { disabled } })
    await queries.invalidateQueries({ queryKey: [id, 'clicks'] })
  }
  return (
    <>
      <PageTitle
        isName
        title={link.name || `/r/${link.id}`}
        lead={
          <>
            <StandingOfLink link={link} /> {t('links.to')}{' '}
            <a href={link.target} target="_blank" rel="noopener noreferrer">
              {link.target.replace(/^https?:\/\//, '')}
            </a>
            {publication && (
              <>
                {' '}
                <Link to={`/publish/${publication.id}`}>
                  {t('links.ofPublication', { title: shownTitle(publication.title, t) })}
                </Link>
              </>
            )}
          </>
        }
      >
        <Button component="a" href={csv} download leftSection={<IconDownload size={16} stroke={1.6} />}>
          {t('links.csv')}
        </Button>
        {may('links.write') && (
          <>
            <Button onClick={changing.open}>{t('links.change')}</Button>
            {link.disabledAt && <Button onClick={() => void set(false)}>{t('links.enable')}</Button>}
            {!isOver(link) && (
              <Button color="rouge" onClick={asking.open}>
                {t('links.disable')}
              </Button>
            )}
          </>
        )}
      </PageTitle>
      <ClicksOff />
      <div className={classes.address}>
        <CopyField value={link.url} mono />
      </div>
      <ChangeLinkDialog opened={isChanging} onClose={changing.close} link={link} />
      <ConfirmDelete
        opened={isAsking}
        onClose={asking.close}
        title={t('links.disableAsk')}
        confirm={t('links.disable')}
        onConfirm={() => set(true)}
      >
        {t(link.fallback ? 'links.disableTextFallback' : 'links.disableText')}
      </ConfirmDelete>
    </>
  )
}

function Numbers({ figures: { inRange } }: { figures: LinkFigures }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { raw, human } = inRange
  return (
    <dl className={classes.numbers}>
      <div data-big>
        <dt>{t('links.human')}</dt>
        <dd>{format.number(human)}</dd>
      </div>
      <div>
        <dt>{t('links.raw')}</dt>
        <dd>{format.number(raw)}</dd>
      </div>
      <div>
        <dt>{t('links.excluded')}</dt>
        <dd>{format.number(raw - human)}</dd>
      </div>
      <div>
        <dt>{t('links.humanShare')}</dt>
        <dd>{format.rate(raw === 0 ? null : human / raw)}</dd>
      </div>
    </dl>
  )
}

/** Each rule that excluded clicks, with what it says. */
function Excluded({ figures: { excluded, inRange } }: { figures: LinkFigures }) {
  const { t } = useTranslation()
  const words = useRuleWords()
  const format = useFormat()
  const count = inRange.raw - inRange.human
  const most = Math.max(1, ...excluded.map(({ clicks }) => clicks))
  if (count === 0) return null
  return (
    <Section title={t('links.why', { count, n: format.number(count) })}>
      <ul className={classes.rules}>
        {excluded.map(({ rule, clicks }) => (
          <li key={rule}>
            <div>
              <b>{words(rule).name}</b>
              <small>{words(rule).text}</small>
            </div>
            <span className={classes.hatched} style={{ width: `${(clicks / most) * 100}%` }} />
            <span>{format.number(clicks)}</span>
          </li>
        ))}
      </ul>
      <p className={classes.hint}>
        {t('links.whyText')} <Link to={studioPaths.clickRules}>{t('shell.titles.clickRules')}</Link>
      </p>
    </Section>
  )
}

function Side({ figures: { link } }: { figures: LinkFigures }) {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const params = { newsletterId: id, linkId: link.id }
  return (
    <aside>
      <Section title={t('links.qr')}>
        <div className={classes.qr}>
          <img src={addressOf(drawQrCode, params, { format: 'svg' })} alt={t('links.qrAlt', { address: link.url })} />
          <div>
            <p className={classes.hint}>{t('links.qrText')}</p>
            <Button size="xs" component="a" href={addressOf(drawQrCode, params, { format: 'svg' })} download>
              SVG
            </Button>
            <Button
              size="xs"
              component="a"
              href={addressOf(drawQrCode, params, { format: 'png', pixels: 1024 })}
              download
            >
              {t('links.png')}
            </Button>
          </div>
        </div>
      </Section>
      <Section title={t('links.after')}>
        <p className={classes.hint}>
          {link.fallback ? (
            <>
              {t('links.fallbackTo')}{' '}
              <a href={link.fallback} target="_blank" rel="noopener noreferrer">
                {link.fallback.replace(/^https?:\/\//, '')}
              </a>
            </>
          ) : (
            t('links.noFallback')
          )}
        </p>
        {link.publicationId !== null && <p className={classes.hint}>{t('links.outlives')}</p>}
      </Section>
    </aside>
  )
}
