import { ActionIcon, Button, Menu, Switch } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { changeRelay, removeRelay, testRelay } from '../../server/relays/contract.ts'
import { call } from '../api.ts'
import { useFormat } from '../format.ts'
import { isBeforeMail, meaningOf, wordsOf } from '../sending/answer-meaning.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { ConfirmDelete } from '../ui/confirm-delete.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { useErrorToast } from '../ui/error-toast.tsx'
import { IconDots, IconPencil, IconTrash } from '../ui/icons.ts'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { StatusMark, type StatusShape } from '../ui/status-mark.tsx'
import { relaysChanged } from './queries.ts'
import { placeOf, type Relay } from './relay-form.ts'
import classes from './relays.module.css'
import { WarmUpPlan } from './warm-up-plan.tsx'

const icon = { size: 16, stroke: 1.6, 'aria-hidden': true } as const

interface Props {
  relay: Relay
  plan: number[]
  edit: () => void
}

/** One relay: its health, its part of the mail, its limits and usage, and its actions. */
export function RelayRow({ relay, plan, edit }: Props) {
  const { t } = useTranslation()
  const { id: newsletterId, may } = useNewsletter()
  const params = { newsletterId, relayId: relay.id }
  const queries = useQueryClient()
  const test = useMutation({
    mutationFn: (_asItWas: string) => call(testRelay, { params }),
    onSettled: () => queries.invalidateQueries({ queryKey: [newsletterId, 'relays'] }),
  })
  // What a test said holds for the relay as it was then.
  const stale = test.variables !== relay.changedAt
  const answer = stale ? undefined : test.data
  return (
    <li className={classes.row} data-off={!relay.enabled || undefined}>
      <div className={classes.name}>
        <h3>{relay.name}</h3>
        <p>
          {t(`relays.ui.kind.${relay.way.kind}`)} <span className={classes.mono}>{placeOf(relay.way)}</span>
        </p>
        <Health relay={relay} said={answer?.answer} />
      </div>
      <Figures relay={relay} />
      {may('relays.manage') && (
        <div className={classes.acts}>
          <OnOff relay={relay} />
          <Button size="xs" loading={test.isPending} onClick={() => test.mutate(relay.changedAt)}>
            {t('relays.ui.test')}
          </Button>
          <More relay={relay} edit={edit} />
        </div>
      )}
      {relay.warmUp && <WarmUp warmUp={relay.warmUp} plan={plan} />}
      <div className={classes.wide} aria-live="polite">
        {answer && <TestAnswer answer={answer} />}
        {!stale && <ErrorNotice error={test.error} />}
      </div>
    </li>
  )
}

/** @param said what stands in full below it already */
function Health({ relay: { enabled, health }, said }: { relay: Relay; said: string | undefined }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (!enabled) return <StatusMark shape="draft">{t('relays.ui.state.off')}</StatusMark>
  // Its rest is over, and nothing was sent through it since.
  if (health.state !== 'resting' && health.failures > 0) {
    return <StatusMark shape="paused">{t('relays.ui.state.again')}</StatusMark>
  }
  const shapes: Record<typeof health.state, StatusShape> = { untried: 'draft', working: 'sent', resting: 'stopped' }
  const putOff = health.state === 'working' && health.answer?.startsWith('4') === true
  const words = putOff
    ? t('relays.ui.state.later')
    : health.state === 'resting' && health.restingUntil
      ? t('relays.ui.state.resting', { time: format.soon(health.restingUntil) })
      : t(`relays.ui.state.${health.state === 'resting' ? 'restingNow' : health.state}`)
  return (
    <>
      <StatusMark shape={putOff ? 'paused' : shapes[health.state]}>{words}</StatusMark>
      {(putOff || health.state === 'resting') && health.answer && health.answer !== said && (
        <Words answer={health.answer} />
      )}
    </>
  )
}

/** What it means, where its code says so, and its own words. */
function Words({ answer }: { answer: string }) {
  const { t } = useTranslation()
  const meaning = meaningOf(answer)
  const words = wordsOf(answer)
  return (
    <>
      {meaning && <span className={classes.meaning}>{t(`publish.meaning.${meaning}`)}</span>}
      {words !== null && <q className={classes.words}>{words}</q>}
    </>
  )
}

function Figures({ relay }: { relay: Relay }) {
  const { t } = useTranslation()
  const format = useFormat()
  const limits = [
    relay.perSecond !== null && t('relays.ui.perSecondShort', { n: format.number(relay.perSecond) }),
    relay.perHour !== null && t('relays.ui.perHourShort', { n: format.number(relay.perHour) }),
  ].filter(Boolean)
  return (
    <dl className={classes.figures}>
      <div>
        <dt>{t('relays.ui.share')}</dt>
        <dd>
          {relay.enabled ? format.percent(relay.share) : '—'}
          <small>{relay.weight === 0 ? t('relays.ui.spare') : t('relays.ui.weightOf', { n: relay.weight })}</small>
        </dd>
      </div>
      <div>
        <dt>{t('relays.ui.used')}</dt>
        <dd>
          {format.number(relay.used.day)}
          <small>{t('relays.ui.usedHour', { n: format.number(relay.used.hour) })}</small>
        </dd>
      </div>
      <div>
        <dt>{t('relays.ui.limits')}</dt>
        <dd data-words="">
          {limits.length > 0 ? limits.map((limit) => <span key={String(limit)}>{limit}</span>) : t('relays.ui.noLimit')}
        </dd>
      </div>
    </dl>
  )
}

function WarmUp({ warmUp, plan }: { warmUp: NonNullable<Relay['warmUp']>; plan: number[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { day, cap, used } = warmUp
  const label = t('relays.ui.warmUp.today', {
    day,
    days: plan.length,
    used: format.number(used),
    cap: format.number(cap),
  })
  return (
    <div className={classes.warmUp}>
      <span>{label}</span>
      <ProgressBar value={used} of={cap} label={label} height={12} />
      <WarmUpPlan plan={plan} day={day} />
    </div>
  )
}

function OnOff({ relay }: { relay: Relay }) {
  const { t } = useTranslation()
  const { id: newsletterId } = useNewsletter()
  const queries = useQueryClient()
  const showError = useErrorToast()
  const change = useMutation({
    mutationFn: (enabled: boolean) =>
      call(changeRelay, { params: { newsletterId, relayId: relay.id }, body: { enabled } }),
    onSuccess: () => relaysChanged(queries, newsletterId),
    onError: showError,
  })
  return (
    <Switch
      label={t('relays.ui.on')}
      aria-label={t('relays.ui.onOf', { name: relay.name })}
      checked={change.isPending ? change.variables : relay.enabled}
      onChange={(event) => change.mutate(event.currentTarget.checked)}
    />
  )
}

function More({ relay, edit }: { relay: Relay; edit: () => void }) {
  const { t } = useTranslation()
  const { id: newsletterId } = useNewsletter()
  const queries = useQueryClient()
  const [asking, ask] = useDisclosure(false)
  return (
    <>
      <Menu position="bottom-end" width={200}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t('relays.ui.more', { name: relay.name })}>
            <IconDots size={17} stroke={1.6} aria-hidden="true" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil {...icon} />} onClick={edit}>
            {t('relays.ui.edit')}
          </Menu.Item>
          <Menu.Item c="var(--tirage-red)" leftSection={<IconTrash {...icon} />} onClick={ask.open}>
            {t('relays.ui.remove')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ConfirmDelete
        opened={asking}
        onClose={ask.close}
        title={t('relays.ui.removeTitle', { name: relay.name })}
        confirm={t('relays.ui.remove')}
        onConfirm={async () => {
          await call(removeRelay, { params: { newsletterId, relayId: relay.id } })
          await relaysChanged(queries, newsletterId)
        }}
      >
        {t('relays.ui.removeText')}
      </ConfirmDelete>
    </>
  )
}

type Answer = z.infer<typeof testRelay.reply>

const marks: Record<Answer['outcome'], StatusShape> = {
  accepted: 'sent',
  later: 'paused',
  refused: 'stopped',
  unreachable: 'stopped',
  unknown: 'paused',
}

/** The result of the test, and the relay's answer. */
function TestAnswer({ answer }: { answer: Answer }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { outcome, to, milliseconds } = answer
  const said = outcome === 'refused' && isBeforeMail(answer.answer) ? 'notHanded' : outcome
  return (
    <div className={classes.answer} data-outcome={outcome}>
      <StatusMark shape={marks[outcome]}>
        {t(`relays.ui.outcome.${said}`, { to, n: format.number(milliseconds) })}
      </StatusMark>
      <Words answer={answer.answer} />
    </div>
  )
}
