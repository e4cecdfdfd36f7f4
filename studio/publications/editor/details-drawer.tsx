import { SegmentedControl, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { slugFrom } from '../../../server/publications/slug.ts'
import { ApiError } from '../../api.ts'
import { useLanguageChoices } from '../../language.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { Drawer } from '../../ui/dialog.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import type { Publication } from '../queries.ts'
import { CoverField } from './cover-field.tsx'
import classes from './details.module.css'
import formClasses from './form.module.css'
import { corrected } from './text/corrected-field.ts'
import type { DetailsPart, SaveDetails } from './use-details.ts'

interface Props {
  publication: Publication
  opened: boolean
  close: () => void
  save: SaveDetails
}

/** The details of a publication: mail subject, language, web address and cover. */
export function DetailsDrawer({ publication, opened, close, save }: Props) {
  const { t } = useTranslation()
  return (
    <Drawer opened={opened} onClose={close} title={t('editor.details.title')}>
      <Fields publication={publication} save={save} />
    </Drawer>
  )
}

function Fields({ publication, save }: Pick<Props, 'publication' | 'save'>) {
  const { t } = useTranslation()
  const [error, setError] = useState<unknown>(null)
  const keep = (part: DetailsPart) =>
    save(part).then(
      () => setError(null),
      (refusal: unknown) => setError(refusal),
    )
  const ofSlug = error instanceof ApiError && (error.code === 'slug_taken' || error.code === 'slug_reserved')
  const taken = ofSlug ? error.message : null
  return (
    <div className={classes.fields}>
      <ErrorNotice error={taken ? null : error} />
      <SubjectText publication={publication} keep={keep} />
      <LanguageField publication={publication} keep={keep} />
      {/* A digest is on no page. */}
      {!publication.digest && (
        <>
          <SlugField key={publication.slug} publication={publication} keep={keep} taken={taken} />
          <CoverField publication={publication} save={save} />
        </>
      )}
      <p className={formClasses.hint}>{t('editor.details.saved')}</p>
    </div>
  )
}

interface FieldProps {
  publication: Publication
  keep: (part: DetailsPart) => Promise<void>
}

/** Whether its mails are in inboxes, with the subject that they have. */
const haveLeft = ({ channel, status }: Publication): boolean =>
  channel === 'everywhere' && (status === 'sending' || status === 'paused' || status === 'sent')

function SubjectText({ publication, keep }: FieldProps) {
  const { t } = useTranslation()
  const [subject, setSubject] = useState(publication.subject)
  const leave = () => subject !== publication.subject && void keep({ subject })
  return (
    <TextInput
      label={t('publish.send.subject')}
      description={t(haveLeft(publication) ? 'editor.details.subjectLeft' : 'publish.send.subjectHint')}
      placeholder={publication.title}
      readOnly={haveLeft(publication)}
      maxLength={300}
      value={subject}
      lang={publication.language}
      onInput={corrected}
      onChange={(event) => setSubject(event.currentTarget.value)}
      onBlur={leave}
      onKeyDown={(event) => event.key === 'Enter' && leave()}
    />
  )
}

function LanguageField({ publication, keep }: FieldProps) {
  const { t } = useTranslation()
  const languageChoices = useLanguageChoices()
  return (
    <fieldset className={classes.field}>
      <legend>{t('editor.details.language')}</legend>
      <p className={formClasses.hint}>{t('editor.details.languageHint')}</p>
      <SegmentedControl
        aria-label={t('editor.details.language')}
        data={languageChoices}
        value={publication.language}
        onChange={(language) => void keep({ language })}
      />
    </fieldset>
  )
}

/** The last part of the web address. When the field loses the focus, the typed text becomes a valid slug. */
function SlugField({ publication, keep, taken }: FieldProps & { taken: string | null }) {
  const { t } = useTranslation()
  const { urls } = useNewsletter()
  const before = publication.slug ?? ''
  const [typed, setTyped] = useState(before)
  const slug = slugFrom(typed)
  const leave = () => {
    setTyped(slug || before)
    if (slug && slug !== before) void keep({ slug })
  }
  return (
    <TextInput
      label={t('editor.details.slug')}
      description={
        <>
          {before ? `${urls.archive.replace(/^https?:\/\//, '')}/${before}` : t('editor.details.slugEmpty')}
          {publication.publishedAt && <br />}
          {publication.publishedAt && t('editor.details.slugOld')}
        </>
      }
      error={taken}
      placeholder={slugFrom(publication.title)}
      maxLength={80}
      autoCapitalize="off"
      spellCheck={false}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={leave}
      onKeyDown={(event) => event.key === 'Enter' && leave()}
    />
  )
}
