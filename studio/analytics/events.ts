/** The events of the owner app; `method` is the provider's name, or `anonymous`. */
export type AnalyticsEvent =
  | { name: 'page_view'; params: { path: string } }
  | { name: 'screen_view'; params: { screen: string } }
  | { name: 'sign_up' | 'login'; params: { method: string } }

let waiting: AnalyticsEvent[] = []

/**
 * Notes an event. Events of one moment travel together; a lost one is no reason to disturb the owner.
 * The user id is set by the server from the session, so nobody can speak for somebody else.
 */
export function track(event: AnalyticsEvent): void {
  waiting.push(event)
  if (waiting.length === 1) queueMicrotask(send)
}

function send(): void {
  const events = waiting
  waiting = []
  void fetch('/api/analytics/events', {
    method: 'POST',
    keepalive: true,
    credentials: 'same-origin',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ events }),
  }).catch(() => undefined)
}
