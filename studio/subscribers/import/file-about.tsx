import { Alert } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { studioPaths } from '../../../server/http/studio-paths.ts'
import type { Sheet } from '../../../server/subscribers/import/contract.ts'
import { useFormat } from '../../format.ts'
import { IconCheck } from '../../ui/icons.ts'
import { Section } from '../../ui/section.tsx'
import { EncodingField } from './encoding-field.tsx'
import classes from './import.module.css'
import type { ShownImport } from './queries.ts'

const delimiterNames = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'bar' } as const
const tools = {
  tirage: 'Tirage',
  substack: 'Substack',
  mailchimp: 'Mailchimp',
  beehiiv: 'beehiiv',
  ghost: 'Ghost',
  listmonk: 'listmonk',
} as const

/** Those on which people publish, and are paid. */
const publishing = ['substack', 'ghost', 'beehiiv'] as const

interface Props {
  one: ShownImport
  sheet: Sheet
  /** Called when the file was read with another encoding. */
  onRead: (sheet: Sheet) => void
  children: ReactNode
}

/** How a file is read, and the tool that it comes from when that is known. */
export function FileAbout({ one, sheet, onRead, children }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const about = {
    count: sheet.columns.length,
    size: format.bytes(one.bytes),
    delimiter: t(`imports.file.delimiter.${delimiterNames[sheet.delimiter]}`),
  }
  const moving = publishing.find((tool) => tool === sheet.preset)
  const recognised = sheet.columns.filter(({ target }) => target.to !== 'skip').length
  return (
    <Section title={t('imports.file.title')}>
      <div className={classes.file}>
        <p>
          <b>{one.fileName}</b>
          <small>
            {t('imports.file.about', about)} {t('imports.file.waits')}
          </small>
        </p>
        {children}
      </div>
      <EncodingField one={one} sheet={sheet} onRead={onRead} />
      <Alert color={sheet.preset ? 'vert' : 'bleu'} icon={<IconCheck size={18} stroke={1.6} />} mt="md">
        {sheet.preset && <b>{t('imports.preset', { tool: tools[sheet.preset] })} </b>}
        {t('imports.recognised', {
          count: recognised,
          n: format.number(recognised),
          total: format.number(sheet.columns.length),
        })}
      </Alert>
      {moving && (
        <ul className={classes.moving}>
          <li>{t('imports.moving.posts', { tool: tools[moving] })}</li>
          <li>
            {t('imports.moving.paid', { tool: tools[moving] })}{' '}
            <Link to={studioPaths.charge}>{t('imports.moving.charge')}</Link>
          </li>
        </ul>
      )}
    </Section>
  )
}
