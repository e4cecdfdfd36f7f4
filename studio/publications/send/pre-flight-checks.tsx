import { Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { studioPaths } from '../../../server/http/studio-paths.ts'
import type { AudienceChoice } from '../../../server/segments/contract.ts'
import type { DomainChecks } from '../../domains/queries.ts'
import { useFormat } from '../../format.ts'
import { POSTAL_FIELD } from '../../newsletters/postal-field.ts'
import { useUser } from '../../shell/client.tsx'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { mergeFieldWord } from '../editor/blocks/merge-fields.ts'
import type { ProblemPlace } from '../problem-place.ts'
import type { PreFlightReport, Problem, Publication, PublicationSlots, Reach } from '../queries.ts'
import { useAudienceName } from './audience-field.tsx'
import { CheckLine } from './check-line.tsx'
import { DomainCheck } from './domain-check.tsx'
import { FirstReader } from './first-reader.tsx'
import { LinkLines } from './link-lines.tsx'
import { Contrast, MailSize, SendingTime } from './mail-lines.tsx'
import classes from './send.module.css'
import { SlotLines } from './slot-lines.tsx'
import { OtherLanguage, VagueLinks } from './text-lines.tsx'

type Code = Problem['code']

/** The checks in the order of the list, each with the problems that it can find. */
const checks: {
  name: 'words' | 'language' | 'sender' | 'images' | 'buttons' | 'notes' | 'headings' | 'subject' | 'gates'
  codes: Code[]
}[] = [
  { name: 'words', codes: ['no_title', 'empty_publication', 'nothing_on_web', 'bare_on_web', 'copied_title'] },
  { name: 'language', codes: ['other_language'] },
  { name: 'sender', codes: ['owner_unconfirmed', 'sender_unproven', 'no_sender', 'no_postal_address'] },
  { name: 'images', codes: ['alt_missing'] },
  { name: 'buttons', codes: ['button_without_address'] },
  { name: 'notes', codes: ['empty_note'] },
  { name: 'headings', codes: ['heading_order'] },
  { name: 'subject', codes: ['long_subject'] },
  { name: 'gates', codes: ['little_above_paywall', 'gate_not_for_sale', 'gate_names_closed'] },
]

interface Props {
  publication: Publication
  check: PreFlightReport
  /** What DNS says about the sender's domain. Null until it is known, and when no mail will leave. */
  domain: DomainChecks | null
  /** What its sponsor slots carry; null until it is known. */
  slots: PublicationSlots | null
  /** Where its links lead. */
  reach: UseQueryResult<Reach>
  audience: AudienceChoice
  /** The segment that was chosen was deleted meanwhile. */
  gone: boolean
  /** Nobody gets a mail. */
  webOnly: boolean
  /** Chooses a day to send on. */
  plan: (day: string) => void
}

/** What blocks sending, who receives it and what deserves attention. What is fine, or waits until mail leaves, is shown when it is asked for. */
export function PreFlightChecks({ publication, check, audience, domain, slots, reach, gone, webOnly, plan }: Props) {
  const { t } = useTranslation()
  const found = new Map(check.problems.map((problem) => [problem.code, problem]))
  const mend = `/publish/create/${publication.id}`
  const low = found.get('low_contrast')
  const vague = found.get('vague_links')
  const list = useId()
  const [all, showAll] = useState(false)
  const rest = check.problems.some((problem) => isForLater(problem, check)) ? 'preFlight.restLater' : 'preFlight.rest'
  const lineOf = (problem: Problem) => (
    <ProblemLine key={problem.code} problem={problem} publication={publication} later={isForLater(problem, check)} />
  )
  const foundOf = (codes: Code[]) => codes.flatMap((code) => found.get(code) ?? [])
  const nobody = found.get('no_subscribers')
  const whom = <Audience check={check} publicationId={publication.id} problem={nobody} audience={audience} />
  return (
    <ul className={classes.checks} id={list} data-all={all || undefined}>
      {!webOnly && gone && (
        <CheckLine kind="block" title={t('preFlight.segment_gone')} text={t('preFlight.text.segment_gone')} />
      )}
      {!webOnly && !gone && nobody && whom}
      {check.emptyMergeFields.map((empty) => (
        <EmptyMergeField key={empty.field} empty={empty} publicationId={publication.id} />
      ))}
      {foundOf(checks.flatMap(({ codes }) => codes)).flatMap((problem) => (problem.blocks ? lineOf(problem) : []))}
      {webOnly && <CheckLine kind="ok" stays title={t('preFlight.nobody')} text={t('preFlight.nobodyText')} />}
      {!webOnly && !gone && !nobody && whom}
      {check.mailIsCaught && !webOnly && (
        <CheckLine
          kind="warn"
          title={t('preFlight.caught')}
          text={t('preFlight.caughtText')}
          to="/outbox"
          fixLabel={t('preFlight.outbox')}
        />
      )}
      {domain && <DomainCheck checks={domain} />}
      {slots && <SlotLines report={slots} publicationId={publication.id} plan={plan} />}
      {checks.map(({ name, codes }) => {
        const problems = foundOf(codes)
        if (problems.length === 0) {
          if (name === 'gates' || name === 'language' || name === 'buttons' || name === 'notes') return null
          if (!isThere(name, publication) || (webOnly && (name === 'sender' || name === 'subject'))) return null
          return (
            <CheckLine key={name} kind="ok" title={t(`preFlight.ok.${name}`)} text={t(`preFlight.okText.${name}`)} />
          )
        }
        return problems.map((problem) =>
          problem.code === 'other_language' ? (
            <OtherLanguage key={problem.code} of={publication} writtenIn={check.writtenIn} mend={mend} />
          ) : (
            !problem.blocks && lineOf(problem)
          ),
        )
      })}
      {low && <Contrast low={check.lowContrasts} count={low.count ?? 1} mend={mend} />}
      {vague && <VagueLinks links={check.vagueLinks} count={vague.count ?? 1} mend={mend} />}
      {!webOnly && <MailSize mail={check.mail} isLong={found.has('too_long_for_gmail')} mend={mend} />}
      <LinkLines query={reach} publicationId={publication.id} />
      {!webOnly && !check.mailIsCaught && <SendingTime seconds={check.sendingSeconds} />}
      {/* One line for both, of one height: the button below must not move away from a finger when the links have been tried. */}
      <CheckLine
        kind={reach.isPending ? 'wait' : 'ok'}
        stays
        title={t(reach.isPending ? 'preFlight.reach.trying' : all ? 'preFlight.wasAll' : rest)}
      >
        <Button
          variant="subtle"
          size="compact-sm"
          px={0}
          aria-expanded={all}
          aria-controls={list}
          onClick={() => showAll(!all)}
        >
          {t(all ? 'preFlight.less' : 'preFlight.all')}
        </Button>
      </CheckLine>
    </ul>
  )
}

/** Whether a publication has what a check is about. A tick for what does not exist would say nothing. */
function isThere(name: (typeof checks)[number]['name'], { subject, title, content }: Publication): boolean {
  if (name === 'images') return holds(content, 'image')
  if (name === 'headings') return holds(content, 'heading')
  return name !== 'subject' || (subject || title).trim() !== ''
}

const holds = (node: { type?: string; content?: unknown }, type: string): boolean =>
  node.type === type || (Array.isArray(node.content) && node.content.some((child) => holds(child, type)))

interface AudienceProps {
  check: PreFlightReport
  publicationId: string
  problem: Problem | undefined
  audience: AudienceChoice
}

function Audience({ check, publicationId, problem, audience }: AudienceProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { subscribers, mayMail } = useNewsletter()
  const { anonymous } = useUser()
  const name = useAudienceName(audience)
  const { receive, suppressed, byHand, onDigest, paused, pending, already } = check.audience
  if (problem && subscribers === 0) {
    const waits = t('publish.firstReader.waits', { count: pending, n: format.number(pending) })
    const first = t(anonymous ? 'publish.firstReader.nobodyYet' : 'publish.firstReader.nobody')
    const nobody = mayMail ? first : t('subscribers.nobodyYet')
    return (
      <CheckLine kind="block" title={t('preFlight.no_subscribers')} text={pending > 0 ? waits : nobody}>
        <FirstReader check={check} publicationId={publicationId} />
      </CheckLine>
    )
  }
  if (problem) {
    return (
      <CheckLine
        kind={problem.blocks ? 'block' : 'warn'}
        title={t('preFlight.no_subscribers')}
        text={
          already > 0
            ? t('preFlight.already', { count: already, n: format.number(already) })
            : t('preFlight.text.no_subscribers')
        }
        to="/subscribers"
        fixLabel={t('preFlight.mend.no_subscribers')}
      />
    )
  }
  const lost = suppressed - byHand
  const left = [
    name,
    already > 0 && t('preFlight.already', { count: already, n: format.number(already) }),
    onDigest > 0 && t('digests.onDigest', { count: onDigest, n: format.number(onDigest) }),
    byHand > 0 && t('preFlight.byHand', { count: byHand, n: format.number(byHand) }),
    lost > 0 && t('preFlight.suppressed', { count: lost, n: format.number(lost) }),
    paused > 0 && t('preFlight.paused', { count: paused, n: format.number(paused) }),
    pending > 0 && t('preFlight.pending', { count: pending, n: format.number(pending) }),
  ].filter(Boolean)
  return (
    <CheckLine
      kind="ok"
      stays
      title={t('preFlight.receive', { count: receive, n: format.number(receive) })}
      text={
        left.length > 0
          ? left.join(' · ')
          : t(audience.kind === 'everyone' ? 'preFlight.everybody' : 'preFlight.everyChosen')
      }
    />
  )
}

interface EmptyProps {
  empty: PreFlightReport['emptyMergeFields'][number]
  publicationId: string
}

/** A merge field where somebody would read nothing, with some of those readers. */
function EmptyMergeField({ empty: { field, count, examples }, publicationId }: EmptyProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const label = mergeFieldWord(t, field)
  const addresses = examples.map(({ email }) => email).join(', ')
  return (
    <CheckLine
      kind="block"
      title={t('preFlight.empty_merge_fields', { count, n: format.number(count), field: label })}
      text={`${t('preFlight.text.empty_merge_fields')} ${addresses && t('preFlight.examples', { addresses })}`}
      to={`/publish/create/${publicationId}`}
      fixLabel={t('preFlight.mend.empty_merge_fields')}
      place={{ at: 'mergeTag', field }}
    />
  )
}

/** Where in the text these problems are. */
const places: { [code in Code]?: ProblemPlace } = {
  bare_on_web: { at: 'mergeTag' },
  alt_missing: { at: 'image' },
  button_without_address: { at: 'button' },
  empty_note: { at: 'note' },
  heading_order: { at: 'heading' },
  little_above_paywall: { at: 'paywall' },
}

const fixAddress = (code: Code, publicationId: string): string => {
  if (code === 'owner_unconfirmed') return '/profile'
  if (code === 'no_postal_address') return `${studioPaths.senderSettings}#${POSTAL_FIELD}`
  if (code === 'no_sender' || code === 'sender_unproven') return studioPaths.senderSettings
  if (code === 'gate_not_for_sale' || code === 'gate_names_closed') return '/charge/plans'
  return code === 'long_subject' ? '#subject' : `/publish/create/${publicationId}`
}

/** What no caught mail needs. */
export const isForLater = ({ code, blocks }: Problem, { mailIsCaught }: PreFlightReport): boolean =>
  mailIsCaught && !blocks && (code === 'no_sender' || code === 'no_postal_address')

interface ProblemProps {
  problem: Problem
  publication: Publication
  later: boolean
}

function ProblemLine({ problem, publication, later }: ProblemProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { may } = useNewsletter()
  const { code, count } = problem
  const settings = fixAddress(code, publication.id).startsWith('/settings')
  return (
    <CheckLine
      kind={later ? 'later' : problem.blocks ? 'block' : 'warn'}
      title={t(`preFlight.${code}`, { count: count ?? 1, n: format.number(count ?? 1) })}
      text={t(`preFlight.text.${later && code === 'no_postal_address' ? 'postal_address_later' : code}`, {
        count: count ?? 1,
      })}
      {...(!(settings && !may('newsletter.write')) && {
        to: fixAddress(code, publication.id),
        fixLabel: t(`preFlight.mend.${code}`, { count: count ?? 1 }),
        ...(places[code] && { place: places[code] }),
      })}
    />
  )
}
