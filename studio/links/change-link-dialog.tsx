import { Button, Group, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { updateShortLink } from '../../server/links/contract.ts'
import { utmFields, utmOf } from '../../server/links/utm.ts'
import { call } from '../api.ts'
import { dayOf, endOfDay } from '../day.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { useServerForm } from '../ui/server-form.ts'
import { EndFields } from './end-fields.tsx'
import classes from './links.module.css'
import type { ShortLink, UtmValues } from './queries.ts'
import { withScheme, withSchemeOrNull } from './typed-address.ts'
import { hasUtm, UtmFields } from './utm-fields.tsx'

/** Another name, target, end, other values on the target, or where the link leads after its end. A link in a publication keeps its target. */
export function ChangeLinkDialog({ opened, onClose, link }: { opened: boolean; onClose: () => void; link: ShortLink }) {
  const { t } = useTranslation()
  return (
    <Dialog opened={opened} onClose={onClose} title={t('links.change')} size="lg">
      <ChangeLink link={link} onDone={onClose} />
    </Dialog>
  )
}

function ChangeLink({ link, onDone }: { link: ShortLink; onDone: () => void }) {
  const { t } = useTranslation()
  const { id, timezone } = useNewsletter()
  const queries = useQueryClient()
  const isOwn = link.publicationId === null
  const utmBefore = utmOf(link.target)
  const [isUtmOpen, utmSection] = useDisclosure(hasUtm(utmBefore))
  const initialValues = {
    name: link.name,
    target: link.target,
    expiresAt: link.expiresAt ? dayOf(link.expiresAt, timezone) : '',
    fallback: link.fallback ?? '',
    utm: utmBefore,
  }
  const { form, error, busy, submit } = useServerForm(
    { initialValues },
    async ({ name, target, expiresAt, fallback, utm }) => {
      const isSameDay = expiresAt === initialValues.expiresAt
      await call(updateShortLink, {
        params: { newsletterId: id, linkId: link.id },
        body: {
          name,
          ...(isOwn && target !== link.target && { target: withScheme(target) }),
          ...(isOwn && changedUtm({ target, now: isUtmOpen && hasUtm(utm) ? utm : null })),
          ...(!isSameDay && { expiresAt: endOfDay(expiresAt, timezone) }),
          fallback: withSchemeOrNull(fallback),
        },
      })
      await queries.invalidateQueries({ queryKey: [id, 'clicks'] })
      onDone()
    },
  )
  /** What is to be put on the target: nothing where it has just that, or none and shall have none. */
  const changedUtm = ({ target, now }: { target: string; now: UtmValues | null }) => {
    if (now) return isSameUtm(now, utmOf(target)) ? {} : { utm: now }
    return hasUtm(utmBefore) ? { utm: null } : {}
  }
  return (
    <form onSubmit={submit} noValidate className={classes.form}>
      <TextInput label={t('links.name')} maxLength={120} data-autofocus {...form.getInputProps('name')} />
      <TextInput
        label={t('links.target')}
        description={isOwn ? null : t('links.targetStays')}
        disabled={!isOwn}
        {...form.getInputProps('target')}
      />
      {isOwn && (
        <UtmFields
          target={form.values.target}
          values={form.values.utm}
          field={(name) => form.getInputProps(`utm.${name}`)}
          opened={isUtmOpen}
          onToggle={utmSection.toggle}
          onFill={(values) => form.setFieldValue('utm', values)}
        />
      )}
      <EndFields field={(name) => form.getInputProps(name)} />
      <ErrorNotice error={error} />
      <Group justify="flex-end" gap="sm">
        <Button onClick={onDone}>{t('ui.cancel')}</Button>
        <Button type="submit" variant="filled" color="encre" loading={busy}>
          {t('ui.save')}
        </Button>
      </Group>
    </form>
  )
}

const isSameUtm = (a: UtmValues, b: UtmValues): boolean => utmFields.every((name) => a[name] === b[name])
