import Fastify, { type FastifyBaseLogger } from 'fastify'
import pg from 'pg'
import { expect, test } from 'vitest'
import { createLogger } from './log.ts'

test('a line about an error of PostgreSQL holds no value of a row', async () => {
  const lines: string[] = []
  const log = createLogger('info', { write: (line) => void lines.push(line) })
  const error = Object.assign(new pg.DatabaseError('duplicate key value violates "user_email_key"', 0, 'error'), {
    code: '23505',
    detail: 'Key (email)=(ada@example.org) already exists.',
    where: 'COPY subscriber, line 1: "ada@example.org"',
  })
  const app = Fastify({ loggerInstance: log as FastifyBaseLogger })
  app.get('/', (request, reply) => {
    request.log.error(error)
    request.log.warn({ err: error }, 'not stored')
    return reply.send('')
  })
  await app.inject('/')
  const kept = lines.filter((line) => line.includes('23505'))
  expect(kept).toHaveLength(2)
  expect(kept.join('')).toContain('user_email_key')
  expect(lines.join('')).not.toContain('ada@example.org')
})

test('what a stranger chose cannot begin a line of its own', () => {
  const lines: string[] = []
  const log = createLogger('info', { write: (line) => void lines.push(line) })
  log.info({ agent: 'a\n{"level":30,"msg":"signed in"}\u2028\r' }, 'b\nc')
  expect(lines).toHaveLength(1)
  expect(lines[0]?.trimEnd()).not.toMatch(/[\r\n]/)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ msg: 'b\nc' })
})
