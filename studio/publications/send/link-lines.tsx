import { Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { NoWay } from '../../../server/publications/contract.ts'
import { useFormat } from '../../format.ts'
import { useErrorText } from '../../ui/error-notice.tsx'
import type { Reach, TriedLink } from '../queries.ts'
import { CheckLine } from './check-line.tsx'
import classes from './send.module.css'

const isBad = ({ answer }: TriedLink): boolean => NoWay.safeParse(answer).success
const wasTried = ({ answer }: TriedLink): boolean => answer !== 'own' && answer !== 'not_tried'

/** Nothing is known of any link, so nothing is said to be in order. */
const wasNoneTried = (links: TriedLink[]): boolean =>
  !links.some(wasTried) && links.some(({ answer }) => answer === 'not_tried')

/** More is slow on a phone outside, and costs its reader money. */
const HEAVY_BYTES = 2 * 1024 * 1024

/** How many of the lines ask for a look. */
export const reachWarnings = ({ links, images }: Reach): number =>
  Number(links.some(isBad) || wasNoneTried(links)) + Number(images.bytes > HEAVY_BYTES)

interface Props {
  query: UseQueryResult<Reach>
  publicationId: string
}

/** Where every link leads, and how heavy the images are. It comes later than the other checks, because other servers are asked. */
export function LinkLines({ query, publicationId }: Props) {
  const { t } = useTranslation()
  const errorText = useErrorText()
  const again = (
    <Button variant="subtle" size="compact-sm" px={0} loading={query.isFetching} onClick={() => void query.refetch()}>
      {t('preFlight.reach.again')}
    </Button>
  )
  if (query.isPending) return null
  if (query.isError) {
    return (
      <CheckLine kind="warn" title={t('preFlight.reach.failed')} text={errorText(query.error)}>
        {again}
      </CheckLine>
    )
  }
  const { images } = query.data
  // An image that is there needs no line of its own.
  const links = query.data.links.filter((link) => link.kind === 'link' || isBad(link))
  const mend = `/publish/create/${publicationId}`
  return (
    <>
      {links.length > 0 && <Links links={links} leftOut={query.data.leftOut} mend={mend} again={again} />}
      {images.count > 0 && <Images images={images} mend={mend} />}
    </>
  )
}

interface LinksProps {
  links: TriedLink[]
  leftOut: number
  mend: string
  again: ReactNode
}

function Links({ links, leftOut, mend, again }: LinksProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const bad = links.filter(isBad)
  const withImages = bad.some(({ kind }) => kind === 'image')
  const tried = links.filter(wasTried).length
  const counted = (count: number) => ({ count, n: format.number(count) })
  const insecure = links.filter(({ answer, insecure: open }) => open && (answer === 'fine' || answer === 'guarded'))
  const notTried = leftOut + links.filter(({ answer }) => answer === 'not_tried').length
  const notes = [
    bad.length > 0 && t('preFlight.reach.badText', counted(bad.length)),
    insecure.length > 0 && t('preFlight.reach.insecure', counted(insecure.length)),
    notTried > 0 && t('preFlight.reach.notTried', counted(notTried)),
  ].filter(Boolean)
  const title =
    bad.length > 0
      ? t(withImages ? 'preFlight.reach.badImages' : 'preFlight.reach.bad', counted(bad.length))
      : tried > 0
        ? t('preFlight.reach.fine', counted(tried))
        : t('preFlight.reach.none')
  return (
    <CheckLine
      kind={bad.length > 0 || wasNoneTried(links) ? 'warn' : 'ok'}
      title={title}
      text={notes.join(' ') || t(tried > 0 ? 'preFlight.reach.fineText' : 'preFlight.reach.answer.own')}
      {...(bad[0] && {
        to: mend,
        fixLabel: t('preFlight.reach.mend'),
        place: { at: 'address', address: bad[0].address },
      })}
    >
      {bad.length > 0 && <LinkList links={bad} />}
      <details className={classes.more}>
        <summary>{t('preFlight.reach.all', counted(links.length))}</summary>
        <LinkList links={links} />
      </details>
      {again}
    </CheckLine>
  )
}

function LinkList({ links }: { links: TriedLink[] }) {
  const { t } = useTranslation()
  return (
    <ul className={classes.found}>
      {links.map((link) => (
        <li key={`${link.kind} ${link.address}`}>
          {link.kind === 'image' && <b>{t('preFlight.reach.image')}</b>}
          {link.words && link.words !== link.address && <q>{link.words}</q>}
          <span className={classes.address}>{link.address}</span>
          <span>{answerText(t, link)}</span>
        </li>
      ))}
    </ul>
  )
}

function answerText(t: TFunction, { answer, status, to, insecure }: TriedLink): string {
  return [
    t(`preFlight.reach.answer.${answer}`, { status: status ?? '' }),
    to && t('preFlight.reach.leads', { to }),
    insecure && (answer === 'fine' || answer === 'guarded') && t('preFlight.reach.open'),
  ]
    .filter(Boolean)
    .join(' ')
}

function Images({ images, mend }: { images: Reach['images']; mend: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { count, bytes, unknown, besidesText, heaviest } = images
  const heavy = bytes > HEAVY_BYTES
  const title = bytes === 0 ? 'preFlight.images.nothing' : heavy ? 'preFlight.images.heavy' : 'preFlight.images.fine'
  const list = heaviest.flatMap(({ name, bytes: each }) => (each === null ? [] : [`${name} (${format.bytes(each)})`]))
  const notes = [
    t(heavy ? 'preFlight.images.heavyText' : 'preFlight.images.fineText', { count, n: format.number(count) }),
    ...besidesText.map((which) => t(`preFlight.images.besidesText.${which}`, { count })),
    heavy && count > 1 && list.length > 0 && t('preFlight.images.heaviest', { list: list.join(', ') }),
    unknown > 0 && t('preFlight.images.unknown', { count: unknown, n: format.number(unknown) }),
  ].filter(Boolean)
  return (
    <CheckLine
      kind={heavy ? 'warn' : 'ok'}
      title={t(title, { count, size: format.bytes(bytes) })}
      text={notes.join(' ')}
      {...(heavy && { to: mend, fixLabel: t('preFlight.images.mend', { count }) })}
    />
  )
}
