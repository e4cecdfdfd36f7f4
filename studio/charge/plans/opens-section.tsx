import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { planOpens } from '../../../server/charge/plans/contract.ts'
import { call } from '../../api.ts'
import { useFormat } from '../../format.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { Section } from '../../ui/section.tsx'
import { shownTitle } from '../../ui/shown-title.ts'
import classes from '../charge.module.css'
import { chargeKey } from '../queries.ts'

/** Which publications a plan opens more of, with the way to each. */
export function OpensSection({ planId }: { planId: number }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { id } = useNewsletter()
  const query = useQuery({
    queryKey: [...chargeKey(id), 'opens', planId],
    queryFn: ({ signal }) => call(planOpens, { params: { newsletterId: id, planId }, signal }),
  })
  return (
    <Section title={t('plans.opens.title')}>
      <QueryContent query={query}>
        {({ named, any, onlyNewest, publications }) => {
          const more = named + any - publications.length
          return (
            <>
              {named + any === 0 && <p className={classes.quiet}>{t('plans.opens.none')}</p>}
              {named > 0 && (
                <p className={classes.quiet}>{t('plans.opens.named', { count: named, n: format.number(named) })}</p>
              )}
              {any > 0 && (
                <p className={classes.quiet}>{t('plans.opens.any', { count: any, n: format.number(any) })}</p>
              )}
              <ul className={classes.opens}>
                {publications.map(({ id: publicationId, title, draft, paywall, blocks, byName }) => (
                  <li key={publicationId}>
                    <Link to={draft ? `/publish/create/${publicationId}` : `/publish/${publicationId}`}>
                      {shownTitle(title, t)}
                    </Link>
                    <small>
                      {[
                        paywall && t('plans.opens.paywall'),
                        blocks > 0 && t('plans.opens.blocks', { count: blocks }),
                        byName && t('plans.opens.byName'),
                        draft && t('plans.opens.draft'),
                      ]
                        .filter(Boolean)
                        .join(', ')}
                    </small>
                  </li>
                ))}
              </ul>
              {more > 0 && (
                <p className={classes.small}>{t('plans.opens.more', { count: more, n: format.number(more) })}</p>
              )}
              {onlyNewest !== null && (
                <p className={classes.small}>{t('plans.opens.onlyNewest', { n: format.number(onlyNewest) })}</p>
              )}
            </>
          )
        }}
      </QueryContent>
    </Section>
  )
}
