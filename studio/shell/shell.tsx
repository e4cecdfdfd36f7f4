import './mantine.css'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Outlet, useLocation } from 'react-router'
import { NextStep, useSteps } from '../analytics/dashboard/next-step.tsx'
import { TestBand, useTestMode } from '../charge/test-mode.tsx'
import { withSentences } from '../language.ts'
import { LiveProvider } from '../live.tsx'
import { useNewPublication } from '../publications/use-new-publication.ts'
import { useEarlyKeys } from '../search/early-keys.ts'
import { Drawer } from '../ui/dialog.tsx'
import { useFocusOnArrival } from '../ui/focus-place.ts'
import { useKeptFocus } from '../ui/keep-focus.ts'
import { Loading } from '../ui/loading.tsx'
import { usePageHotkey } from '../ui/page-hotkey.ts'
import { NameOfPage } from '../ui/page-title.tsx'
import { useClient } from './client.tsx'
import { Header } from './header.tsx'
import { NewsletterProvider, useNewsletter } from './newsletter.tsx'
import classes from './shell.module.css'
import { Sidebar } from './sidebar.tsx'

/** Downloaded when it is first opened. */
const CommandPalette = lazy(async () => ({
  default: await withSentences(() => import('../search/command-palette.tsx'), 'CommandPalette'),
}))

/** The frame of the owner app. In `create` there is only the editor: no navigation and no header. */
export function Shell() {
  const { create } = useClient()
  return (
    <NewsletterProvider>
      <LiveNewsletter>{create ? <WritingFrame /> : <Frame />}</LiveNewsletter>
    </NewsletterProvider>
  )
}

/** Above both frames, so that leaving the editor does not close the stream. */
function LiveNewsletter({ children }: { children: ReactNode }) {
  const { id } = useNewsletter()
  return <LiveProvider newsletterId={id}>{children}</LiveProvider>
}

function WritingFrame() {
  const newsletter = useNewsletter()
  return (
    <Suspense fallback={<Loading />}>
      <Outlet key={newsletter.id} />
    </Suspense>
  )
}

/** Whether it is not known yet which bands stand above the page: whoever reads it already would lose their line. */
function useBandsAreLoading(): boolean {
  return [useTestMode(), useSteps()].some(({ isLoading, failureCount }) => isLoading && failureCount === 0)
}

function Frame() {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const newsletter = useNewsletter()
  const [menu, { open, close }] = useDisclosure(false)
  const begin = useNewPublication()
  const [asked, setAsked] = useState(0)
  const [pageName, setPageName] = useState<string | null>(null)
  const early = useEarlyKeys(() => setAsked(0))
  const search = () => {
    early.keep()
    setAsked((times) => times + 1)
  }
  useKeptFocus()
  useFocusOnArrival()
  usePageHotkey('c', () => begin.mutate())
  useHotkeys([['mod+K', search]], [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes whenever the page or the newsletter changes
  useEffect(close, [pathname, newsletter.id])
  return (
    <div className={classes.app}>
      <a className={classes.skip} href="#main">
        {t('shell.skip')}
      </a>
      <nav className={classes.nav} aria-label={t('shell.main')}>
        <Sidebar begin={begin} />
      </nav>
      <Drawer
        opened={menu}
        onClose={close}
        position="left"
        size={272}
        title={t('shell.menu')}
        hiddenFrom="md"
        classNames={{ content: classes.drawer ?? '', header: classes.drawerHead ?? '', body: classes.drawerBody ?? '' }}
      >
        <nav aria-label={t('shell.main')} className={classes.drawerNav}>
          <Sidebar begin={begin} />
        </nav>
      </Drawer>
      <div className={classes.page}>
        <TestBand />
        <Header openMenu={open} search={search} pageName={pageName} />
        <NextStep begin={begin} place="line" />
        <main id="main" className={classes.main} tabIndex={-1} data-waits={useBandsAreLoading() || undefined}>
          <NameOfPage value={setPageName}>
            <Suspense fallback={<Loading />}>
              <Outlet key={newsletter.id} />
            </Suspense>
          </NameOfPage>
        </main>
      </div>
      {asked > 0 && (
        <Suspense fallback={null}>
          <CommandPalette begin={begin} asked={asked} early={early} />
        </Suspense>
      )}
    </div>
  )
}
