import './ui/base.css'
import './ui/mantine.css'
import '@mantine/notifications/styles.layer.css'
import './ui/fonts.css'
import { Notifications } from '@mantine/notifications'
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter, RouterProvider } from 'react-router'
import { EventTracker, TrackProvider } from './analytics/events.tsx'
import { ApiError } from './api.ts'
import { chosenLanguage, startLanguage } from './language.ts'
import { routes } from './routes.tsx'
import { detectSettings } from './settings.ts'
import { meQuery } from './shell/client.tsx'
import { styleNonce } from './ui/html-frame.ts'
import { ThemeProvider } from './ui/theme-provider.tsx'

const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    // The session ended somewhere else: who is asked to sign in comes back to this page.
    onError: (error, { queryKey }) => {
      const isOver = error instanceof ApiError && error.code === 'unauthenticated'
      if (isOver && queryKey[0] !== meQuery.queryKey[0]) void queries.invalidateQueries(meQuery)
    },
  }),
  // Without a connection each is tried and fails at once: else a page would wait without a word, and what was pressed would happen later.
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (failures, error) => isTemporary(error) && failures < 2,
      networkMode: 'always',
      refetchOnReconnect: true,
    },
    mutations: { networkMode: 'always' },
  },
})

/** Whether another try may succeed: there was no answer although there is a connection, or the server failed. */
function isTemporary(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'offline' ? navigator.onLine : error.status >= 500)
}

async function start(): Promise<void> {
  // Mantine's dialogs lock scrolling with a library that reads the nonce from here.
  Object.assign(globalThis, { __webpack_nonce__: styleNonce })
  await startLanguage(chosenLanguage() ?? detectSettings().language)
  const { track } = new EventTracker()
  track({ name: 'page_view', params: { path: '/' } })
  const root = document.getElementById('root')
  if (!root) throw new Error('index.html has no #root')
  const router = createBrowserRouter(routes)
  // The server has drawn the first screen of this page; the app takes its place once it can draw the same.
  if (root.hasChildNodes()) await readyToDraw(router)
  // Drawn in short pieces, so that a slow phone answers between them.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <ThemeProvider>
          <QueryClientProvider client={queries}>
            <Notifications position="bottom-right" autoClose={6000} />
            <TrackProvider value={track}>
              <RouterProvider router={router} />
            </TrackProvider>
          </QueryClientProvider>
        </ThemeProvider>
      </StrictMode>,
    ),
  )
}

/** Resolves once the page of the address is loaded, or has failed to. */
async function readyToDraw(router: ReturnType<typeof createBrowserRouter>): Promise<void> {
  if (router.state.initialized) return
  await new Promise<void>((resolve) => {
    const stop = router.subscribe(({ initialized }) => {
      if (!initialized) return
      stop()
      resolve()
    })
  })
}

// The specification asks for an unhandled failure at start to be written to the console.
start().catch((error: unknown) => console.error(error))
