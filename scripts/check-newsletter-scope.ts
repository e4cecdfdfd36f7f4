import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Which functions of the server read or write rows of a newsletter, and how often each names the newsletter (docs/decisions/
 * newsletter-scope-register.md). The register is compared with the code, so that no condition on a newsletter is lost unnoticed: a
 * function that names it less often, or a new one that does not name it at all, fails. `--write` renews the register; the reasons stay.
 */
const root = join(import.meta.dirname, '..')
const registerFile = join(root, 'scripts/newsletter-scope.txt')
const COMMAND = 'node scripts/run.mjs scripts/check-newsletter-scope.ts --write'
const HEADER = `# Made by: ${COMMAND}
# File, function, how often it names the newsletter, and for 0 the reason, which is written by hand.
`

interface Holder {
  /** File and function. */
  name: string
  times: number
}

const declared = /^(?:export )?(?:async )?(?:const|function\*?|class) (\w+)|^ {2}(?:async )?\*?([#\w]+)\(.*\{$/gm
const tablesOf =
  /(?:selectFrom|insertInto|updateTable|deleteFrom|[a-z]+Join|using)\(\s*\[?'(\w+)|\b(?:from|join|update|into) (\w+)/g

const tables = newsletterTables(readFileSync(join(root, 'server/database/types.ts'), 'utf8'))
const holders = globSync('server/**/*.{ts,tsx}', { cwd: root })
  .filter((file) => !/\.test\.tsx?$|^server\/(testing|seed|database|mail)\//.test(file))
  .toSorted()
  .flatMap((file) => holdersIn(file, withoutComments(readFileSync(join(root, file), 'utf8'))))
const register = readRegister()

if (process.argv.includes('--write')) writeFileSync(registerFile, HEADER + holders.map(lineOf).join(''))
const wrong = findings(process.argv.includes('--write') ? readRegister() : register)
for (const sentence of wrong) console.error(sentence)
if (wrong.length > 0) console.error(`To renew it: ${COMMAND}`)
if (wrong.length === 0) console.log(`${holders.length} functions name their newsletter as the register says`)
process.exitCode = wrong.length > 0 ? 1 : 0

/** The tables whose rows belong to a newsletter. */
function newsletterTables(types: string): Set<string> {
  const rows = new Map(
    [...types.matchAll(/^export interface (\w+) \{([\s\S]*?)^\}/gm)].map(([, name, body]) => [name, body]),
  )
  const names = [...(rows.get('DB') ?? rows.get('Database') ?? '').matchAll(/^\s+(\w+): (\w+)/gm)]
  const owned = names.filter(([, , row]) => /\bnewsletter_id\b/.test(rows.get(row) ?? ''))
  if (owned.length === 0) throw new Error('server/database/types.ts has no table with a newsletter_id')
  return new Set(owned.map(([, table]) => String(table)))
}

function withoutComments(text: string): string {
  return text.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '')
}

function holdersIn(file: string, text: string): Holder[] {
  const heads = [...text.matchAll(declared)]
  const found = heads.map((head, index) => {
    const body = text.slice(head.index, heads[index + 1]?.index)
    const reads = [...body.matchAll(tablesOf)].some(([, built, written]) => tables.has(built ?? written ?? ''))
    const times = body.match(/\bnewsletter_id\b/g)?.length ?? 0
    return { name: `${file} ${head[1] ?? head[2]}`, times, counts: reads || times > 0 }
  })
  // Functions of one name in a file, like overloads or the methods of two classes, count together.
  return [
    ...Map.groupBy(
      found.filter(({ counts }) => counts),
      ({ name }) => name,
    ),
  ].map(([name, same]) => ({
    name,
    times: same.reduce((sum, { times }) => sum + times, 0),
  }))
}

function readRegister(): Map<string, { times: number; reason: string }> {
  const lines = readFileSync(registerFile, 'utf8')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
  return new Map(
    lines.map((line) => {
      const [file, holder, times, ...reason] = line.split(' ')
      return [`${file} ${holder}`, { times: Number(times), reason: reason.join(' ') }]
    }),
  )
}

function lineOf({ name, times }: Holder): string {
  const reason = times === 0 ? register.get(name)?.reason : ''
  return `${name} ${times}${reason ? ` ${reason}` : ''}\n`
}

function findings(known: ReturnType<typeof readRegister>): string[] {
  const names = new Set(holders.map(({ name }) => name))
  const gone = [...known.keys()].filter((name) => !names.has(name)).map((name) => `${name} is gone: renew the register`)
  const changed = holders.flatMap(({ name, times }) => {
    const line = known.get(name)
    if (!line) return [`${name} is new and names the newsletter ${times} times: renew the register`]
    if (times < line.times)
      return [`${name} names the newsletter ${times} times, and ${line.times} before: was a condition lost?`]
    if (times > line.times)
      return [`${name} names the newsletter ${times} times, and ${line.times} before: renew the register`]
    if (times === 0 && !line.reason)
      return [`${name} touches rows of a newsletter and never names it: write the reason in the register`]
    return []
  })
  return [...gone, ...changed].map((sentence) => `${sentence} (scripts/newsletter-scope.txt)`)
}
