import { randomInt } from 'node:crypto'
import type { Page } from '@playwright/test'
import type { Translate } from '../server/translator.ts'
import { expect } from './fixtures.ts'
import { bounce, type Facts, type LiveScreen, readFacts, screens, sideBarSays } from './live-screens.ts'
import { COPIES, expectRight, journey, randomFrom } from './live-stage.ts'
import { publish } from './publications.ts'
import { refusals, type StreamProxy, startStreamProxy } from './stream-proxy.ts'
import { uniqueAddress } from './unique-address.ts'

/** A tab of the owner’s browser, with a wire of its own: a browser opens six connections to one address, and each stream keeps one. */
interface Window {
  page: Page
  wire: StreamProxy
  screen: LiveScreen
}

journey(
  'every live screen says what the database says within two seconds after its stream returns',
  async ({ stage, baseURL, dataDir }) => {
    // Six rounds, in each of which streams may take half a minute to return.
    journey.setTimeout(300_000)
    const { page, t, api, relay, newsletter } = stage
    const seed = Number(process.env.LIVE_SEED ?? randomInt(2 ** 31))
    const random = randomFrom(seed)
    const headers = { origin: baseURL ?? '' }
    const { user } = (await (await page.request.get('/api/me')).json()) as { user: { email: string } }
    const { id } = await publish(page, { baseURL, newsletter, channel: 'everywhere' })
    const where = { dataDir, newsletterId: newsletter.id, publicationId: id }
    const facts = () => readFacts({ ...where, email: user.email })
    const taken = () => relay.received.filter(({ to }) => to.startsWith('reader'))

    let asked = 0
    let written = 0
    const gone = new Set<string>()
    const acts = {
      /** Two copies more arrive. */
      async release() {
        const before = taken().length
        // The next two may not have reached it yet.
        await expect
          .poll(() => {
            relay.release()
            return taken().length
          })
          .toBeGreaterThan(before)
        await expect
          .poll(async () => (await facts()).counts.accepted, 'what was taken is recorded')
          .toBe(taken().length)
      },
      /** A reader leaves by the link that mail programs show. */
      async leave() {
        const mail = taken().find(({ to }) => !gone.has(to))
        if (!mail) return
        gone.add(mail.to)
        const link = /^List-Unsubscribe:[^<]*(?:<mailto:[^>]*>,\s*)?<(https?:[^>]+)>/im.exec(mail.raw)?.[1] ?? ''
        const left = await page.request.post(link, { form: { 'List-Unsubscribe': 'One-Click' } })
        expect(left.ok(), await left.text()).toBe(true)
      },
      bounce: () => bounce(where),
      /** An address is added, which has yet to confirm. */
      async ask() {
        asked += 1
        const added = await page.request.post(`${api}/subscribers`, {
          data: { email: uniqueAddress('asked') },
          headers,
        })
        expect(added.ok(), await added.text()).toBe(true)
      },
      /** A mail of the server itself to whoever reads the outbox. */
      async write() {
        written += 1
        const before = (await facts()).caught
        const data = { email: user.email }
        const sent = await page.request.post('/api/auth/request-password-reset', { data, headers })
        expect(sent.ok(), await sent.text()).toBe(true)
        await expect.poll(async () => (await facts()).caught).toBeGreaterThan(before)
      },
    }

    const windows: Window[] = []
    for (const screen of screens.slice(0, 4)) {
      const opened = windows.length === 0 ? page : await page.context().newPage()
      const wire = await startStreamProxy(baseURL ?? '')
      windows.push({ page: opened, wire, screen })
      await opened.goto(`${wire.url}/publish`)
      await screen.open(opened, t)
    }
    try {
      await journey.step(`LIVE_SEED=${seed}`, async () => {
        await expectAllRight({ windows, t, facts, when: 'at first' })
        for (let round = 0; taken().length < COPIES; round += 1) {
          const when = `round ${round}, LIVE_SEED=${seed}`
          const others = [acts.leave, acts.ask, acts.bounce, written < 5 ? acts.write : acts.ask]
          const other = () => others[random(others.length)] ?? acts.leave
          const todo = [acts.release, acts.release, other(), acts.release]
          const cuts = windows.map(() => ({ at: random(todo.length + 1), moves: random(2) === 0 }))
          for (const [step, act] of todo.entries()) {
            for (const [place, window] of windows.entries()) {
              const cut = cuts[place]
              if (cut?.at !== step) continue
              window.wire.cut(refusals[random(refusals.length)] ?? 'drop')
              if (cut.moves) {
                window.screen = screens[random(screens.length)] ?? window.screen
                await window.screen.open(window.page, t)
              }
            }
            if (taken().length < COPIES || act !== acts.release) await act()
          }
          // What happens while the streams come back is the hardest to see.
          for (const { wire } of windows) wire.mend()
          await other()()
          await expectAllRight({ windows, t, facts, when })
        }
      })
      await expect.poll(async () => (await facts()).state).toBe('sent')
      await expectAllRight({ windows, t, facts, when: `at the end, LIVE_SEED=${seed}` })
      expect(gone.size + asked).toBeGreaterThan(0)
    } finally {
      for (const { wire } of windows) await wire.stop()
    }
  },
)

interface Right {
  windows: Window[]
  t: Translate
  facts: () => Promise<Facts>
  when: string
}

const expectAllRight = ({ windows, t, facts, when }: Right) =>
  Promise.all(
    windows.map(({ page, wire, screen }) =>
      expectRight({
        ...{ wire, when: `${when}, ${page.url()}`, known: facts },
        says: async () => ({ ...(await screen.says(page, t)), sideBar: await sideBarSays(page, t) }),
        should: (known) => ({ ...screen.should(known, t), sideBar: String(known.active) }),
      }),
    ),
  )
