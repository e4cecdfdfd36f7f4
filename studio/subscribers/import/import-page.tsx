import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { studioPaths } from '../../../server/http/studio-paths.ts'
import { cancelImport } from '../../../server/subscribers/import/contract.ts'
import { useFormat } from '../../format.ts'
import { newslettersQuery, useNewsletter } from '../../shell/newsletter.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { focusMain, useFocusOnArrival } from '../../ui/focus-place.ts'
import { PageTitle } from '../../ui/page-title.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { ColumnsStep } from './columns-step.tsx'
import { DryRun } from './dry-run.tsx'
import classes from './import.module.css'
import { importQuery, useImportAct, type WholeImport } from './queries.ts'
import { Refusal } from './refusal.tsx'
import { Result } from './result.tsx'
import { OUTCOME, Steps } from './steps.tsx'
import { UnderWay } from './under-way.tsx'
import { WhoStays } from './who-stays.tsx'

/** One import at the step where it is. */
export function ImportPage() {
  const { t } = useTranslation()
  const { importId = '' } = useParams()
  const { id } = useNewsletter()
  const query = useQuery(importQuery(id, importId))
  useRefreshWhenOver(query.data)
  return (
    <QueryContent query={query} list={{ to: studioPaths.imports, label: t('shell.titles.imports') }}>
      {(one) => <Whole key={one.id} one={one} />}
    </QueryContent>
  )
}

/** Reads subscribers, segments and the count in the sidebar anew when the server has finished its work on an import, however briefly it took. */
function useRefreshWhenOver(one: WholeImport | undefined) {
  const { id } = useNewsletter()
  const queries = useQueryClient()
  const state = one?.state
  const before = useRef(state)
  useEffect(() => {
    if (
      before.current !== undefined &&
      before.current !== state &&
      (state === 'done' || state === 'cancelled' || state === 'taken_back')
    ) {
      void queries.invalidateQueries({ queryKey: [id, 'subscribers'] })
      void queries.invalidateQueries({ queryKey: [id, 'segments'] })
      // The sidebar has how many subscribers a newsletter has.
      void queries.invalidateQueries(newslettersQuery)
    }
    before.current = state
  }, [state, queries, id])
}

/** Begins each step at what it says, or where the page begins: the button that led to it is gone. Whoever is at something else by then stays there. */
function useFocusOnStep(step: string): void {
  useFocusOnArrival()
  const before = useRef(step)
  useLayoutEffect(() => {
    if (before.current === step) return
    before.current = step
    if (!document.activeElement?.matches('body, main, main *')) return
    const outcome = document.getElementById(OUTCOME)
    if (outcome) outcome.focus()
    else focusMain()
  }, [step])
}

function Whole({ one }: { one: WholeImport }) {
  const { t } = useTranslation()
  const [choosing, choose] = useState(false)
  useFocusOnStep(one.state === 'checked' && choosing ? 'columns' : one.state)
  switch (one.state) {
    case 'uploading':
      return <Arriving one={one} />
    case 'refused':
      return (
        <>
          <PageTitle title={t('imports.page')} figure={one.fileName} />
          <Steps at="file" />
          <Refusal refusal={one.refusal} />
          <Another />
        </>
      )
    case 'uploaded':
      return <ColumnsStep one={one} onChosen={() => choose(false)} />
    case 'checked':
      return choosing ? (
        <ColumnsStep one={one} onChosen={() => choose(false)} />
      ) : (
        <DryRun one={one} onBack={() => choose(true)} />
      )
    case 'checking':
    case 'importing':
    case 'finishing':
    case 'cancelling':
    case 'taking_back':
      return <UnderWay one={one} state={one.state} />
    case 'done':
      return <Result one={one} />
    default:
      return (
        <>
          <PageTitle title={t('imports.page')} figure={one.fileName} />
          <div id={OUTCOME} tabIndex={-1} className={classes.sentence} role="status">
            {t(`imports.done.${one.state}`)} {one.takenBack && <WhoStays {...one.takenBack} isDone />}
          </div>
          <Another />
        </>
      )
  }
}

const Another = () => {
  const { t } = useTranslation()
  return (
    <p className={classes.acts}>
      <Button component={Link} to="/subscribers/import">
        {t('imports.done.another')}
      </Button>
    </p>
  )
}

/** An upload that goes on in another tab, or has broken off. */
function Arriving({ one }: { one: WholeImport }) {
  const { t } = useTranslation()
  const format = useFormat()
  const cancel = useImportAct(cancelImport)
  return (
    <>
      <PageTitle title={t('imports.page')} figure={one.fileName} />
      <Steps at="file" />
      <p className={classes.sentence}>
        {t('imports.file.arrived', { received: format.bytes(one.received), bytes: format.bytes(one.bytes) })}
      </p>
      <ErrorNotice error={cancel.error} />
      <p className={classes.acts}>
        <Button loading={cancel.isPending} onClick={() => cancel.mutate(one.id)}>
          {t('imports.file.discard')}
        </Button>
      </p>
    </>
  )
}
