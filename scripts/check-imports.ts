import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { type Edge, findCycles } from './cycles.ts'

/** Who may import whom (docs/decisions/import-rules.md): main → app → slices → infrastructure, and no cycles. An import of a type counts. */
const root = join(import.meta.dirname, '..')

interface Rule {
  because: string
  from: RegExp
  /** Imports that the rule forbids; `except` and what tests do are allowed. */
  to: RegExp
  except?: RegExp
}

const top = /^server\/(main|app|work|entry|cli|doctor)\.ts$/
/** Every folder of the server that is not infrastructure, so that a new one is a slice without being named here. */
const slice = /^server\/(?!(database|http|jobs|email|page|net|mail|testing)\/)[^/]+\//

const rules: Rule[] = [
  { because: 'infrastructure knows no slice', from: /^server\/(database|http|jobs|email|page|net|mail)\//, to: slice },
  {
    because: 'the wire knows no table',
    from: /^server\/(mail|net)\//,
    to: /^server\/database\/(?!ids\.ts)/,
  },
  { because: 'the context knows no slice: a slice adds its own in app.ts', from: /^server\/context\.ts$/, to: slice },
  {
    because: 'relays know nothing of what is sent through them',
    from: /^server\/relays\//,
    to: /^server\/(sending|feedback|domains|publications)\//,
  },
  {
    because: 'the sender’s domain knows the relays, and not what is sent',
    from: /^server\/domains\//,
    to: /^server\/(sending|feedback|publications)\//,
  },
  { because: 'sending does not know what comes back', from: /^server\/sending\//, to: /^server\/feedback\// },
  {
    because: 'who writes does not send: it enqueues, or plans a sending that others carry out',
    from: /^server\/(identity|newsletters|subscribers|publications|links|media)\//,
    to: /^server\/(sending|feedback|domains)\//,
    except: /\/contract\.ts$|^server\/sending\/(state|delivery-state|sending)\.ts$/,
  },
  {
    because: 'who changes the state of a sending knows nothing of how it is sent',
    from: /^server\/sending\/(state|delivery-state|claims|planning|sending|transitions)\.ts$/,
    to: /^server\//,
    except:
      /^server\/(database|subscribers)\/|^server\/errors\.ts$|^server\/sending\/(delivery-state|planning|sending|transitions)\.ts$/,
  },
  { because: 'nobody imports the top', from: /^server\/(?!(main|app|work|entry|cli|doctor)\.ts|testing\/)/, to: top },
  {
    because:
      'a contract is read by browsers: other contracts, the endpoint, the languages, the permissions, the currencies, nothing else',
    from: /^server\/.+\/contract\.ts$/,
    to: /^(server|studio|i18n)\//,
    except:
      /\/contract\.ts$|^server\/http\/endpoint\.ts$|^server\/(audit-acts|errors|languages|permissions|charge\/(currency|money))\.ts$/,
  },
  {
    because:
      'the owner app knows the server by its contracts, its own addresses, the languages, the permissions, the currencies, names of devices, slugs, UTM values, what a newsletter looks like, what comes in time, and the document',
    from: /^studio\//,
    to: /^server\//,
    except:
      /\/contract\.ts$|^server\/http\/(endpoint|studio-paths|device)\.ts$|^server\/(audit-acts|languages|permissions|charge\/money|identity\/password-rules|links\/utm|newsletters\/branding|page\/faces|sponsorship\/in-time)\.ts$|^server\/publications\/(document\/|slug\.ts$)/,
  },
  { because: 'the server knows no browser code', from: /^server\//, to: /^studio\// },
  {
    because: 'the product needs no test code',
    from: /^(server(?!\/testing)|studio|i18n)\//,
    to: /\.test\.tsx?$|^server\/testing\/|^(e2e|bench|scripts)\//,
  },
]

const imports = ['server', 'studio', 'i18n', 'e2e', 'bench', 'scripts'].flatMap(filesIn).flatMap(importsOf)
const forbidden = imports.filter(({ from }) => !/\.test\.tsx?$/.test(from)).flatMap(faultsOf)
const cycles = findCycles(imports).map((files) => `a cycle: ${files.join(' → ')}`)
for (const problem of [...forbidden, ...cycles]) console.error(problem)
console.log(`${imports.length} imports, ${forbidden.length} forbidden, ${cycles.length} cycles`)
process.exitCode = forbidden.length + cycles.length > 0 ? 1 : 0

function filesIn(folder: string): string[] {
  try {
    const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    return names.filter((name) => /\.tsx?$/.test(name)).map((name) => join(folder, name))
  } catch {
    return []
  }
}

/** Our own imports are relative and end in the file's name, so that a pattern finds them all. */
function importsOf(from: string): Edge[] {
  const text = readFileSync(join(root, from), 'utf8')
  const statement =
    /^(?:import|export)\s+(?:type\s)?[^'"`;]*?from '(\.[^']+)'|^import '(\.[^']+)'|import\('(\.[^']+)'\)/gm
  return [...text.matchAll(statement)].map(([, named, bare, lazy]) => ({
    from,
    to: normalize(join(dirname(from), named ?? bare ?? lazy ?? '')),
  }))
}

function faultsOf({ from, to }: Edge): string[] {
  const broken = rules.filter((rule) => rule.from.test(from) && rule.to.test(to) && !rule.except?.test(to))
  return broken.map(({ because }) => `${from} imports ${to}: ${because}`)
}
