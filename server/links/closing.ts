import type { Route } from '../http/routes.ts'

/** The route, and what is to be done when the program ends and nobody asks any more. */
export const closing = (route: Route, stop: () => Promise<void>): Route => ({
  ...route,
  register(app) {
    route.register(app)
    app.addHook('onClose', stop)
  },
})
