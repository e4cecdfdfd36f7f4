import { ActionIcon, Popover } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconHelp } from '../ui/icons.ts'
import classes from './subscribers.module.css'

/** Says who counts as a subscriber, beside the number: by mouse, touch and keyboard alike. */
export function WhoCounts() {
  const { t } = useTranslation()
  const [opened, setOpened] = useState(false)
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      width={300}
      position="bottom-start"
      withinPortal
      shadow="md"
      returnFocus
    >
      <Popover.Target>
        <ActionIcon
          className={classes.whoCounts ?? ''}
          variant="subtle"
          color="gray"
          aria-label={t('subscribers.whoCounts.label')}
          onClick={() => setOpened(!opened)}
          // The text takes no focus, so that the popover’s own Escape hears nothing, and Tab leaves it.
          onKeyDown={({ key }) => ['Escape', 'Tab'].includes(key) && setOpened(false)}
        >
          <IconHelp size={16} stroke={1.6} aria-hidden="true" />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('subscribers.whoCounts.label')}>
        <p className={classes.whoCountsText}>{t('subscribers.whoCounts.text')}</p>
      </Popover.Dropdown>
    </Popover>
  )
}
