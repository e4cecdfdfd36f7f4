import { useNewsletter } from '../shell/newsletter.tsx'

/** Whether the open newsletter keeps who opens and who clicks, and since when: null is ever since there is the newsletter. */
export function useKept() {
  const { openPrivacy, openersSince, clickPrivacy, clickersSince } = useNewsletter()
  return {
    openers: { isKept: openPrivacy === 'person', since: openersSince },
    clickers: { isKept: clickPrivacy === 'person', since: clickersSince },
  }
}
