import { matchRoutes, type RouteObject } from 'react-router'
import { expect, test } from 'vitest'
import { studioPaths } from '../server/http/studio-paths.ts'
import { studioServer } from '../server/testing/studio-server.ts'
import { routes } from './routes.tsx'

const paths = Object.values(studioPaths)
const example = (path: string) => path.replaceAll(/:\w+/g, 'x7')

/** Every address that a route of the tree names, without the catch-all of unknown ones. */
const pathsOf = (tree: RouteObject[]): string[] =>
  tree.flatMap(({ path, children = [] }) => [...(path && path !== '*' ? [path] : []), ...pathsOf(children)])

test('the routes of the owner app and the list of its addresses are the same', () => {
  expect(pathsOf(routes).toSorted()).toEqual(paths.toSorted())
})

test.each(paths)('%s is served, and shows a page', async (path) => {
  const app = await studioServer()

  const reply = await app.inject({ url: example(path), headers: { accept: 'text/html' } })

  expect(reply).toMatchObject({ statusCode: 200 })
  expect(reply.headers['content-type']).toContain('text/html')
  expect(matchRoutes(routes, example(path))?.at(-1)?.route.path).not.toBe('*')
})

test.each(['/nowhere', '/dashboard/nowhere', '/settings/nowhere', '/invitation'])(
  '%s is not found: a person gets the page with that status, a program an error',
  async (path) => {
    const app = await studioServer()

    const person = await app.inject({ url: path, headers: { accept: 'text/html' } })
    const program = await app.inject({ url: path })

    expect(person.statusCode).toBe(404)
    expect(person.headers['content-type']).toContain('text/html')
    expect(program.statusCode).toBe(404)
    expect(program.headers['content-type']).toContain('application/json')
    expect(matchRoutes(routes, path)?.at(-1)?.route.path).toBe('*')
  },
)

test('the empty address leads to the dashboard and keeps its query', async () => {
  const app = await studioServer()

  const reply = await app.inject('/?product=publish')

  expect(reply.statusCode).toBe(302)
  expect(reply.headers.location).toBe('/dashboard?product=publish')
})
