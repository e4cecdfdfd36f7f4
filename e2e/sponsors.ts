import type { Page } from '@playwright/test'

interface Selling {
  page: Page
  baseURL: string | undefined
  newsletterId: string
}

export interface Sold {
  bookingId: string
  /** The path of the sponsor's own page. */
  own: string
  act(name: 'accept' | 'approve' | 'ask_changes' | 'cancel'): Promise<void>
  money(name: 'invoice' | 'pay'): Promise<void>
  /** Sends in what the sponsor says. */
  say(text: string): Promise<void>
}

/** Sells a placement with an image on a day far away: what an owner enters, and the page that its sponsor gets. */
export async function sell({ page, baseURL, newsletterId }: Selling): Promise<Sold> {
  const call = async <T>(method: 'post' | 'put' | 'patch', rest: string, data: unknown): Promise<T> => {
    const address = `/api/newsletters/${newsletterId}/sponsorship${rest}`
    const answer = await page.request[method](address, { data, headers: { origin: baseURL ?? '' } })
    if (!answer.ok()) throw new Error(`${rest} answered ${answer.status()}: ${await answer.text()}`)
    return answer.json()
  }
  const words = {
    en: { name: 'Middle', disclosure: 'From our sponsor' },
    fr: { name: 'Milieu', disclosure: 'De notre annonceur' },
  }
  const placement = await call<{ id: number }>('post', '/placements', {
    ...{ words, place: 'middle', maxWords: 12, prices: { eur: 41_000 } },
  })
  await call('patch', '/settings', { weekdays: [6], page: 'open' })
  const day = '2090-01-07'
  // A sponsor's pages are in the language of the booking, whatever their browser asks for.
  const language = (await page.evaluate(() => navigator.language)).slice(0, 2)
  const booking = await call<{ id: string }>('post', '/bookings', {
    ...{ placementId: placement.id, day, sponsor: 'Halyard Books', language, currency: 'eur', amount: 41_000 },
  })
  const { url } = await call<{ url: string }>('post', `/bookings/${booking.id}/link`, {})
  return {
    bookingId: booking.id,
    own: new URL(url).pathname,
    act: (act) => call('post', `/bookings/${booking.id}/acts`, { act }),
    money: (act) => call('post', `/bookings/${booking.id}/money`, { act }),
    say: (text) =>
      call('put', `/bookings/${booking.id}/creative`, {
        ...{ name: 'Halyard Books', text, label: 'Order it', target: 'https://halyard.example/', image: null },
      }),
  }
}
