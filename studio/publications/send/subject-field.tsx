import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { holdMarks } from '../../../i18n/french-spaces.ts'
import { savePublication } from '../../../server/publications/contract.ts'
import { call } from '../../api.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { corrected } from '../editor/text/corrected-field.ts'
import { type Publication, preFlightQuery, publicationQuery } from '../queries.ts'

/** The subject of the mail, saved when the field loses the focus. When it is empty, the title is the subject. */
export function SubjectField({ publication }: { publication: Publication }) {
  const { t } = useTranslation()
  const newsletter = useNewsletter()
  const queries = useQueryClient()
  const [subject, setSubject] = useState(publication.subject)
  const [error, setError] = useState<unknown>(null)
  const save = async () => {
    if (subject === publication.subject) return
    const { id, revision } = publication
    try {
      const params = { newsletterId: newsletter.id, publicationId: id }
      const saved = await call(savePublication, { params, body: { revision, subject } })
      setError(null)
      queries.setQueryData(publicationQuery(newsletter.id, id).queryKey, saved)
      await queries.invalidateQueries(preFlightQuery(newsletter.id, id))
    } catch (refusal) {
      setError(refusal)
    }
  }
  return (
    <>
      <TextInput
        id="subject"
        mt="lg"
        maxLength={300}
        label={t('publish.send.subject')}
        placeholder={holdMarks(publication.title)}
        description={t('publish.send.subjectHint')}
        value={subject}
        lang={publication.language}
        onInput={corrected}
        onChange={(event) => setSubject(event.currentTarget.value)}
        onBlur={() => void save()}
        onKeyDown={(event) => event.key === 'Enter' && void save()}
      />
      <ErrorNotice error={error} />
    </>
  )
}
