import type { Route } from '../http/routes.ts'

/** A route with what it must do when the program ends, after the last request. */
export const closing = (route: Route, stop: () => Promise<void>): Route => ({
  ...route,
  register(app) {
    route.register(app)
    app.addHook('onClose', stop)
  },
})
