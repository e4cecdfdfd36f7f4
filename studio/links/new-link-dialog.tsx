import { Button, Checkbox, Group, SimpleGrid, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { createShortLink, keepUtmTemplate } from '../../server/links/contract.ts'
import { noUtm } from '../../server/links/utm.ts'
import { ApiError, call } from '../api.ts'
import { endOfDay } from '../day.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { useServerForm } from '../ui/server-form.ts'
import { EndFields } from './end-fields.tsx'
import classes from './links.module.css'
import { type ShortLink, utmTemplatesQuery } from './queries.ts'
import { slugFault } from './slug-fault.ts'
import { withScheme, withSchemeOrNull } from './typed-address.ts'
import { hasUtm, UtmFields } from './utm-fields.tsx'

interface Props {
  opened: boolean
  onClose: () => void
  onMade: (link: ShortLink) => void
}

/** A new short link: its target, its own address, its name, its end, and the values that analytics programs read. */
export function NewLinkDialog({ opened, onClose, onMade }: Props) {
  const { t } = useTranslation()
  return (
    <Dialog opened={opened} onClose={onClose} title={t('links.add')} size="lg">
      <NewLink onMade={onMade} onCancel={onClose} />
    </Dialog>
  )
}

const NAME_LENGTH = 60

const initialValues = {
  ...{ target: '', slug: '', name: '', expiresAt: '', fallback: '' },
  ...{ utm: noUtm, keep: false, keepAs: '' },
}

function NewLink({ onMade, onCancel }: { onMade: Props['onMade']; onCancel: () => void }) {
  const { t } = useTranslation()
  const { id, timezone } = useNewsletter()
  const queries = useQueryClient()
  const faultText = ({ letter, better }: NonNullable<ReturnType<typeof slugFault>>) => {
    const wrong = letter === ' ' ? t('links.slugSpace') : t('links.slugLetter', { letter })
    return better ? t('links.slugBetter', { wrong, better }) : t('links.slugWrong', { wrong })
  }
  /** The server says that the address is wrong; here it is known by which sign, and what would do. */
  const inBetterWords = (refusal: unknown, slug: string): unknown => {
    const fault = slugFault(slug)
    if (!(fault && refusal instanceof ApiError && refusal.fields.slug)) return refusal
    return new ApiError(refusal.code, refusal.message, {
      ...refusal,
      fields: { ...refusal.fields, slug: faultText(fault) },
    })
  }
  const [isUtmOpen, utmSection] = useDisclosure(false)
  const { form, error, busy, submit } = useServerForm(
    { initialValues },
    async ({ target, slug, name, expiresAt, fallback, utm, keep, keepAs }) => {
      const given = isUtmOpen && hasUtm(utm) ? utm : null
      const params = { newsletterId: id }
      if (given && keep)
        await call(keepUtmTemplate, { params, body: { name: keepAs || given.source.slice(0, NAME_LENGTH), ...given } })
      const body = {
        ...{ target: withScheme(target), name, ...(slug && { slug }) },
        ...{ expiresAt: endOfDay(expiresAt, timezone), fallback: withSchemeOrNull(fallback) },
        ...(given && { utm: given }),
      }
      const link = await call(createShortLink, { params, body }).catch((refusal) => {
        throw inBetterWords(refusal, slug)
      })
      await queries.invalidateQueries({ queryKey: [id, 'clicks'] })
      await queries.invalidateQueries({ queryKey: utmTemplatesQuery(id).queryKey })
      onMade(link)
    },
  )
  return (
    <form onSubmit={submit} noValidate className={classes.form}>
      <TextInput
        label={t('links.target')}
        description={t('links.targetText')}
        placeholder="https://"
        data-autofocus
        required
        {...form.getInputProps('target')}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          label={t('links.name')}
          description={t('links.nameText')}
          maxLength={120}
          {...form.getInputProps('name')}
        />
        <TextInput
          label={t('links.slug')}
          description={t('links.slugText')}
          leftSection="/r/"
          maxLength={40}
          {...form.getInputProps('slug')}
        />
      </SimpleGrid>
      <EndFields field={(name) => form.getInputProps(name)} />
      <UtmFields
        target={form.values.target}
        values={form.values.utm}
        field={(name) => form.getInputProps(`utm.${name}`)}
        opened={isUtmOpen}
        onToggle={utmSection.toggle}
        onFill={(values) => form.setFieldValue('utm', values)}
      >
        <Checkbox label={t('links.utmKeep')} {...form.getInputProps('keep', { type: 'checkbox' })} />
        {form.values.keep && (
          <TextInput mt="xs" label={t('links.utmKeepAs')} maxLength={NAME_LENGTH} {...form.getInputProps('keepAs')} />
        )}
      </UtmFields>
      <ErrorNotice error={error} />
      <Group justify="flex-end" gap="sm">
        <Button onClick={onCancel}>{t('ui.cancel')}</Button>
        <Button type="submit" variant="filled" color="encre" loading={busy}>
          {t('links.make')}
        </Button>
      </Group>
    </form>
  )
}
