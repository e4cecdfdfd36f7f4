import { Menu } from '@mantine/core'
import type { Editor } from '@tiptap/core'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { IconChevronDown, IconPlus } from '../../../ui/icons.ts'
import { iconProps, ToolButton } from '../toolbar/tool-button.tsx'
import classes from '../toolbar/toolbar.module.css'
import type { InsertGroup } from './insert-choices.ts'

/** The menu of the toolbar with everything that can be inserted. */
export function InsertMenu({ editor, groups }: { editor: Editor; groups: InsertGroup[] }) {
  const { t } = useTranslation()
  return (
    <Menu width={260} position="bottom-start" returnFocus={false} middlewares={{ size: { padding: 8 } }}>
      <Menu.Target>
        <ToolButton label={t('editor.tool.more')} wide>
          <IconPlus {...iconProps} />
          <span className={classes.wideOnly}>{t('editor.tool.insert')}</span>
          <IconChevronDown size={13} stroke={1.6} aria-hidden="true" className={classes.chevron} />
        </ToolButton>
      </Menu.Target>
      <Menu.Dropdown style={{ overflowY: 'auto' }}>
        {groups.map(({ key, label, choices }) => (
          <Fragment key={key}>
            <Menu.Label>{label}</Menu.Label>
            {choices.map(({ key, label, icon: Icon, run }) => (
              <Menu.Item key={key} leftSection={<Icon {...iconProps} />} onClick={() => run(editor)}>
                {label}
              </Menu.Item>
            ))}
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
