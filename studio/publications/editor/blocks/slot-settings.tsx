import { Anchor, Switch } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { studioPaths } from '../../../../server/http/studio-paths.ts'
import type { SettingsProps } from './settings-props.ts'

/** What stands in a slot comes from the calendar; here is said who sees it. */
export function SlotSettings({ attrs, set }: SettingsProps) {
  const { t } = useTranslation()
  return (
    <>
      <Switch
        size="xs"
        label={t('publish.slot.hide')}
        checked={attrs.hideFromPaid !== false}
        onChange={(event) => set('hideFromPaid', event.currentTarget.checked)}
      />
      <Anchor component={Link} to={studioPaths.calendar} size="xs">
        {t('sponsorship.openCalendar')}
      </Anchor>
    </>
  )
}
