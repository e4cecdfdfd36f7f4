import { type ComponentProps, lazy, Suspense, useEffect } from 'react'
import { useBlocker } from 'react-router'
import { studioPaths } from '../../server/http/studio-paths.ts'
import { withSentences } from '../language.ts'

/** Downloaded once the page is there. */
const UnsavedDialog = lazy(async () => ({
  default: await withSentences(() => import('./unsaved-dialog.tsx'), 'UnsavedDialog'),
}))

/** Whether a form on the page would lose something. */
export const hasUnsaved = (): boolean => document.querySelector('form[data-unsaved]') !== null

/** Called when what the forms on the page are about was deleted: what was typed into them has nowhere to go, and is not asked about. */
export function dropUnsaved(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-unsaved]')) delete form.dataset.unsaved
}

/** Asks whoever leaves the page while a form on it has the attribute `data-unsaved`. One for each page, because the router asks only one. */
export function LeaveGuard() {
  const { state, proceed, reset } = useBlocker(
    // Whoever signs out is signed out by then.
    ({ currentLocation: { pathname: from }, nextLocation: { pathname: to } }) =>
      from !== to && to !== studioPaths.login && hasUnsaved(),
  )
  useEffect(() => {
    const leaving = (event: BeforeUnloadEvent) => hasUnsaved() && event.preventDefault()
    window.addEventListener('beforeunload', leaving)
    return () => window.removeEventListener('beforeunload', leaving)
  }, [])
  return <LeaveQuestion opened={state === 'blocked'} onStay={() => reset?.()} onLeave={() => proceed?.()} />
}

/** The question of `LeaveGuard`, for what replaces the page without another address. */
export function LeaveQuestion(props: ComponentProps<typeof UnsavedDialog>) {
  return (
    <Suspense fallback={null}>
      <UnsavedDialog {...props} />
    </Suspense>
  )
}
