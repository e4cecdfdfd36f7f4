import type { IncomingMessage, ServerResponse } from 'node:http'
import type Stripe from 'stripe'
import { passTime } from './billing.ts'
import { type Paying, paySession } from './checkout.ts'
import { dispute } from './payments.ts'
import type { Right } from './route.ts'
import { ApiServer, type Fault } from './server.ts'
import { type Posted, sign } from './webhooks.ts'
import { idOf, World } from './world.ts'

export interface StripeAccount {
  /** A restricted key. */
  key: string
  world: World
}

interface Delivering {
  /** Posts an event; answers the status. */
  post?: (posted: Posted) => Promise<number>
  /** In which order; as they happened when it is left out. */
  order?: (events: Stripe.Event[]) => Stripe.Event[]
  /** How often each is said. */
  times?: number
  /** Which of them get lost. */
  drop?: (event: Stripe.Event) => boolean
}

export interface StripeStandIn {
  /** For the setting STRIPE_API. */
  url: string
  /** Every request that arrived. */
  requests: readonly string[]
  /** An account with a key. `rights` takes the place of every right. */
  addAccount(options?: {
    name?: string
    live?: boolean
    rights?: Partial<Record<Right, 'none' | 'read' | 'write'>>
  }): StripeAccount
  /** Another key of the same account. */
  addKey(account: StripeAccount, rights?: Partial<Record<Right, 'none' | 'read' | 'write'>>): string
  revokeKey(key: string): void
  fail(fault: Fault): void
  /** Ends every fault. */
  heal(): void
  /** As the buyer does on the hosted page. */
  pay(account: StripeAccount, session: string, paying?: Paying): Stripe.Checkout.Session
  /** Declines the card of a customer from now on, or takes it again. */
  declineCards(account: StripeAccount, customer: string, declines?: boolean): void
  dispute(account: StripeAccount, charge: string): Stripe.Dispute
  now(): Date
  /** Lets time pass: what is due happens at its own hour. */
  moveTo(at: Date): void
  /** Posts the events that wait. One that is not answered with 2xx waits on. Answers what was posted, with its status. */
  deliver(account: StripeAccount, how?: Delivering): Promise<{ type: string; status: number }[]>
  /** The events that wait, signed for the clock of the test. */
  waiting(account: StripeAccount): Posted[]
  stop(): void
}

const asTheyHappened = (events: Stripe.Event[]): Stripe.Event[] => events
const STEP_MS = 6 * 3_600_000

/**
 * A server with the shapes of Stripe's API, on a free port of this machine. It is no Stripe: it knows what Tirage asks, refuses what the
 * types of the SDK do not allow, and answers what they say.
 *
 * @param now the clock that it starts from, and that webhooks are signed with
 */
export async function startStripe({ now = () => new Date() }: { now?: () => Date } = {}): Promise<StripeStandIn> {
  const worlds: World[] = []
  let ahead = 0
  let keys = 0
  const time = () => new Date(now().getTime() + ahead)
  const server = new ApiServer((request, response) => hostedPage(worlds, request, response), time)
  await server.listen()

  const addKey: StripeStandIn['addKey'] = ({ world }, rights) => {
    keys += 1
    const key = `rk_${world.livemode ? 'live' : 'test'}_51Stand1n${String(keys).padStart(4, '0')}w9Fh`
    server.keys.set(key, { world, rights: rights ?? null })
    return key
  }
  const post = async ({ url, body, signature }: Posted): Promise<number> => {
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
    return (await fetch(url, { method: 'POST', body, headers })).status
  }

  return {
    url: server.origin,
    requests: server.log,
    addAccount({ name = 'Kerbrat Éditions', live = false, rights } = {}) {
      const seconds = () => Math.floor(time().getTime() / 1000)
      const world = new World({ name, livemode: live, now: seconds, origin: () => server.origin })
      worlds.push(world)
      const account = { key: '', world }
      account.key = addKey(account, rights)
      return account
    },
    addKey,
    revokeKey: (key) => void server.keys.delete(key),
    fail: (fault) => void server.faults.push(fault),
    heal: () => void server.faults.splice(0),
    pay: ({ world }, session, paying) => paySession(world, world.get('checkout.session', session), paying),
    declineCards: ({ world }, customer, declines = true) =>
      void (declines ? world.declining.add(customer) : world.declining.delete(customer)),
    dispute: ({ world }, charge) => dispute(world, world.get('charge', charge)),
    now: time,
    moveTo(at) {
      while (time() < at) {
        ahead += Math.min(STEP_MS, at.getTime() - time().getTime())
        for (const world of worlds) passTime(world)
      }
    },
    waiting: ({ world }) => world.undelivered.map(({ event, endpoint }) => sign(event, endpoint, now().getTime())),
    async deliver({ world }, { post: send = post, order = asTheyHappened, times = 1, drop = () => false } = {}) {
      const waiting = world.undelivered.splice(0)
      const posted: { type: string; status: number }[] = []
      for (const event of order(waiting.map(({ event }) => event))) {
        const each = waiting.find((one) => one.event === event)
        if (!each || drop(event)) continue
        let taken = false
        for (let time = 0; time < times; time++) {
          const status = await send(sign(event, each.endpoint, now().getTime()))
          posted.push({ type: event.type, status })
          taken ||= status >= 200 && status < 300
        }
        if (taken) event.pending_webhooks = 0
        else world.undelivered.push(each)
      }
      return posted
    },
    stop: () => server.stop(),
  }
}

/** The page of a checkout and that of the portal, so that they can be seen and pressed in a browser. */
function hostedPage(worlds: World[], request: IncomingMessage, response: ServerResponse): boolean {
  const id = /^\/(?:c\/pay|p\/session)\/([^/?]+)$/.exec(request.url ?? '')?.[1] ?? ''
  for (const world of worlds) {
    const session = world.find('checkout.session', id)
    const portal = world.find('billing_portal.session', id)
    if (session && request.method === 'POST') {
      const paid = paySession(world, session)
      const back = paid.success_url?.replace('{CHECKOUT_SESSION_ID}', paid.id) ?? '/'
      response.writeHead(303, { location: back }).end()
      return true
    }
    if (session || portal) {
      const words = session
        ? `<h1>Stand-in of Stripe Checkout</h1><p>${session.amount_total ?? 0} ${session.currency ?? ''}. No card is charged.</p><form method="post"><button>Pay</button></form><a href="${session.cancel_url ?? '/'}">Back</a>`
        : `<h1>Stand-in of Stripe's portal</h1><p>Customer ${idOf(portal?.customer ?? '')}</p><a href="${portal?.return_url ?? '/'}">Back</a>`
      response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end(`<!doctype html><title>Test</title>${words}`)
      return true
    }
  }
  return false
}
