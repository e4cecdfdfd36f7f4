import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core'
import rulesets from '@stoplight/spectral-rulesets'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'

interface Operation {
  operationId: string
  summary: string
  tags: string[]
  security: Record<string, unknown>[]
  parameters?: { name: string; description?: string }[]
  responses: Record<string, { description: string; content: Record<string, unknown> }>
}

let server: TestApp
let source: string
let paths: Record<string, Record<string, Operation>>
let operations: { path: string; operation: Operation }[]
beforeAll(async () => {
  server = await startTestApp()
  source = (await server.inject('/api/openapi.json')).body
  paths = JSON.parse(source).paths
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => ({ path, operation })),
  )
})
afterAll(() => server?.stop())

test('Redocly’s recommended rules find no error and no warning in the API’s document', async () => {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source, config, absoluteRef: 'openapi.json' })
  expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([])
})

test('Spectral’s recommended rules find no error and no warning in the API’s document', async () => {
  const linter = new spectralCore.Spectral()
  linter.setRuleset({ extends: [[rulesets.oas as RulesetDefinition, 'recommended']] })
  const problems = await linter.run(source)
  expect(problems.map(({ code, path, message }) => `${code}: ${path.join('.')}: ${message}`)).toEqual([])
})

test('it has every endpoint, each under a name of its own, and says what each parameter means', () => {
  expect(operations).toHaveLength(server.app.apiRoutes.length)
  expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length)
  const parameters = operations.flatMap(({ operation }) => operation.parameters ?? [])
  expect(parameters.filter(({ description }) => !description)).toEqual([])
})

test('it asks for a login where one is needed, and for none where none is', () => {
  for (const { method, path, access } of server.app.apiRoutes) {
    const operation = paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
    const ways = access === 'public' ? [] : access === 'user' ? ['session'] : ['key', 'session']
    expect([method, path, operation?.security.flatMap((each) => Object.keys(each))]).toEqual([method, path, ways])
  }
})

test('it says CSV and JSON lines where they are', () => {
  for (const { path, operation } of operations) {
    const types: Record<string, string> = { csv: 'text/csv', jsonl: 'application/jsonl' }
    const type = types[path.split('.')[1] ?? ''] ?? 'application/json'
    expect([path, Object.keys(operation.responses[200]?.content ?? {})]).toEqual([path, [type]])
  }
})
