import { createContext, useContext } from 'react'

/** The events of the owner app. `method` is the sign-in provider's name, or `anonymous`. */
export type AnalyticsEvent =
  | { name: 'page_view'; params: { path: string } }
  | { name: 'screen_view'; params: { screen: string } }
  | { name: 'sign_up' | 'login'; params: { method: string } }

/** Sends events to the server. Events of the same moment travel in one request; a request that fails is not repeated. */
export class EventTracker {
  #waiting: AnalyticsEvent[] = []

  /** The server adds the user id from the session, so nobody can record events for somebody else. */
  track = (event: AnalyticsEvent): void => {
    this.#waiting.push(event)
    if (this.#waiting.length === 1) queueMicrotask(() => this.#send())
  }

  #send(): void {
    const events = this.#waiting
    this.#waiting = []
    void fetch('/api/analytics/events', {
      method: 'POST',
      keepalive: true,
      credentials: 'same-origin',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ events }),
    }).catch(() => undefined)
  }
}

const TrackContext = createContext<(event: AnalyticsEvent) => void>(() => {})

export const TrackProvider = TrackContext.Provider

/** The function that records an event. */
export const useTrack = () => useContext(TrackContext)
