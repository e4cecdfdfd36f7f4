import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { listClickedLinks } from '../../server/subscribers/detail/contract.ts'
import { call } from '../api.ts'
import { useFormat } from '../format.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { Section } from '../ui/section.tsx'
import { shownTitle } from '../ui/shown-title.ts'
import classes from './subscriber-page.module.css'

/** The links that a subscriber clicked, and how many clicks of scanners were left out. */
export function ClickedLinks({ subscriberId }: { subscriberId: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { id, clickPrivacy, clickersSince } = useNewsletter()
  const clicked = useQuery({
    queryKey: [id, 'subscribers', 'clicks', subscriberId],
    queryFn: () => call(listClickedLinks, { params: { newsletterId: id, subscriberId } }),
  })
  return (
    <Section title={t('subscribers.detail.links')}>
      <QueryContent query={clicked}>
        {({ links, human, excluded }) => (
          <>
            <ul className={classes.links}>
              {links.map(({ target, publication, clicks, lastAt }) => (
                <li key={`${publication?.id} ${target}`}>
                  <span>
                    {target.replace(/^https?:\/\//, '')}
                    <small>
                      {[
                        publication && shownTitle(publication.title, t),
                        clicks > 1 && t('subscribers.detail.times', { count: clicks, n: format.number(clicks) }),
                      ]
                        .filter(Boolean)
                        .join(' · ')}
                    </small>
                  </span>
                  <time dateTime={lastAt}>{format.dayOfYear(lastAt)}</time>
                </li>
              ))}
            </ul>
            <p className={classes.hint}>
              {human === 0
                ? t(clickPrivacy === 'person' ? 'subscribers.detail.noLinks' : 'subscribers.detail.linksOff')
                : t('subscribers.detail.human', { count: human, n: format.number(human) })}{' '}
              {excluded > 0 && t('subscribers.detail.excluded', { count: excluded, n: format.number(excluded) })}{' '}
              {clickPrivacy === 'person' &&
                clickersSince !== null &&
                t('segments.keptSince.clickers', { day: format.dayOfYear(clickersSince) })}
            </p>
          </>
        )}
      </QueryContent>
    </Section>
  )
}
