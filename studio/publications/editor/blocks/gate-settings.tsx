import { Button, MultiSelect, Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { surfaces } from '../../../../server/publications/document/gate-nodes.ts'
import { knownValue } from '../../../../server/publications/document/known-value.ts'
import { usePlanChoices } from '../../../charge/plan-choices.ts'
import type { SettingsProps } from './settings-props.ts'

/** Which plans open it; none: any. Nothing to choose where there is only one plan. */
function PlansField({ chosen, choose }: { chosen: unknown; choose: (plans: number[]) => void }) {
  const { t } = useTranslation()
  const plans = usePlanChoices()
  const ids = Array.isArray(chosen) ? chosen.map(String) : []
  if (plans.length < 2 && ids.length === 0) return null
  return (
    <MultiSelect
      size="xs"
      miw={220}
      aria-label={t('editor.node.plans')}
      placeholder={ids.length === 0 ? t('editor.node.anyPlan') : ''}
      data={plans}
      value={ids}
      maxValues={20}
      onChange={(values) => choose(values.map(Number))}
    />
  )
}

export const PaywallSettings = ({ attrs, set }: SettingsProps) => (
  <PlansField chosen={attrs.plans} choose={(plans) => set('plans', plans)} />
)

const whomChoices = ['paid', 'free', ...surfaces] as const

export function OnlyForSettings({ editor, attrs, set }: SettingsProps) {
  const { t } = useTranslation()
  const whom = whomChoices.map((value) => ({ value, label: t(`editor.node.onlyForWhom.${value}`) }))
  const chosen = knownValue(whomChoices, attrs.for) ?? 'paid'
  return (
    <>
      <Select
        size="xs"
        w={224}
        aria-label={t('editor.node.onlyFor')}
        allowDeselect={false}
        data={whom}
        value={chosen}
        onChange={(value) => set('for', value)}
      />
      {chosen === 'paid' && (
        <PlansField chosen={attrs.for} choose={(plans) => set('for', plans.length > 0 ? plans : 'paid')} />
      )}
      <Button size="xs" variant="subtle" onClick={() => editor.chain().focus().liftOnlyFor().run()}>
        {t('editor.node.onlyForLift')}
      </Button>
    </>
  )
}
