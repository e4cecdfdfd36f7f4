import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A place where a statement keeps to one newsletter. */
export interface TenantCondition {
  /** File, function and number in it: `server/links/queries.ts listLinks 1`. It does not change when lines move. */
  name: string
  file: string
  /** The file's offsets of the text that is replaced. */
  from: number
  to: number
  /** The same with a switch: the condition holds unless the running test leaves it out. */
  switched: string
}

const OPERATOR = '(?:=|is not distinct from)'
const COLUMN = '(?:\\w+\\.)?newsletter_id'
const builder = new RegExp(`\\.where\\('${COLUMN}', '${OPERATOR}', [\\w.]+\\)`, 'g')
const either = /(?<!\w)e\('newsletter_id', '=', [\w.]+\)/g
const fragment = new RegExp(`${COLUMN} ${OPERATOR} \\$\\{([^}]+)\\}`, 'g')
const declared = /^(?:export )?(?:async )?(?:const|function\*?|class) (\w+)|^ {2}(?:async )?([#\w]+)\(.*\{$/gm

/** Every condition on `newsletter_id` in the server's own files that begin with one of `parts`. */
export function tenantConditions(root: string, parts: string[]): TenantCondition[] {
  return globSync('server/**/*.{ts,tsx}', { cwd: root })
    .filter((file) => !/\.test\.tsx?$|^server\/(testing|seed|database)\//.test(file))
    .filter((file) => parts.length === 0 || parts.some((part) => file.startsWith(part)))
    .toSorted()
    .flatMap((file) => conditionsOf(file, readFileSync(join(root, file), 'utf8')))
}

function conditionsOf(file: string, text: string): TenantCondition[] {
  const heads = [...text.matchAll(declared)].map(({ index, 1: outer, 2: method }) => ({ index, name: outer ?? method }))
  const numbers = new Map<string, number>()
  const named = (at: number): string => {
    const holder = heads.findLast(({ index }) => index < at)?.name ?? 'top'
    const number = (numbers.get(holder) ?? 0) + 1
    numbers.set(holder, number)
    return `${file} ${holder} ${number}`
  }
  return [...text.matchAll(builder), ...text.matchAll(either), ...text.matchAll(fragment)]
    .toSorted((a, b) => a.index - b.index)
    .map(({ index, 0: found, 1: value }) => {
      const name = named(index)
      return { name, file, from: index, to: index + found.length, switched: withSwitch(name, found, value) }
    })
}

function withSwitch(name: string, found: string, value?: string): string {
  const keeps = `keepsTenant(${JSON.stringify(name)})`
  if (found.startsWith('.where')) return `.$call((query) => (${keeps} ? query${found} : query))`
  if (found.startsWith('e(')) return `(${keeps} ? ${found} : e.val(true))`
  // What `COPY` reads is text; everything else is a statement of Kysely.
  const tag = value?.includes('escapeLiteral') ? '' : 'sql'
  return `\${${keeps} ? ${tag}\`${found}\` : ${tag}\`true\`}`
}

/** A file's text with all its conditions switched. */
export function switchedText(file: string, text: string, conditions: TenantCondition[]): string {
  const body = conditions.reduceRight(
    (rest, { from, to, switched }) => rest.slice(0, from) + switched + rest.slice(to),
    text,
  )
  return `import { keepsTenant } from '${'../'.repeat(file.split('/').length - 1)}mutants/tenant-switch.ts'\n${body}`
}
