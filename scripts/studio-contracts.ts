import { join, sep } from 'node:path'
import { type ESTree, type Plugin, parseSync, Visitor } from 'vite'

const server = join(import.meta.dirname, '..', 'server', sep)

/**
 * Has the built owner app take from the modules of the server what it uses: of an endpoint its method and its path, of schemas those that a page
 * parses with. `docs/decisions/contracts-in-the-owner-app.md` says why.
 */
export function studioContracts(): Plugin {
  return {
    name: 'studio-contracts',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\.tsx?(\?(endpoints|schemas))?$/ },
      handler: (code, id) => {
        const [file = '', part] = id.split('?')
        refuseLeftOut(code, file)
        if (!file.startsWith(server)) return null
        return { code: ofServer(code, file, part), map: null, moduleSideEffects: false }
      },
    },
  }
}

/** A contract becomes two modules, because a bundler puts a module into one file whole: who calls an endpoint would download every schema beside it. */
function ofServer(code: string, file: string, part: string | undefined): string {
  if (part === 'endpoints') return endpointsOf(code, file)
  if (part === undefined && isContract(file)) {
    return `export * from '${file}?endpoints'\nexport * from '${file}?schemas'`
  }
  return withoutEndpoints(code, file)
}

const isContract = (path: string): boolean => /(^|\/)contract\.ts$/.test(path)

/** The endpoints of a contract, each with its method and its path. */
export function endpointsOf(code: string, file: string): string {
  const { program } = parseSync(file, code)
  return constantsIn(program)
    .map((each) => [nameOf(each), addressIn(each)] as const)
    .flatMap(([name, address]) => (address ? `export const ${name} = ${JSON.stringify(address)}` : []))
    .join('\n')
}

/** A module without its endpoints, in which a value that nobody uses can be left out with all that it was made of. */
export function withoutEndpoints(code: string, file: string): string {
  const { program } = parseSync(file, code)
  const parts: string[] = []
  let at = 0
  const replace = ({ start, end }: ESTree.Node, text: string) => {
    parts.push(code.slice(at, start), text)
    at = end
  }
  for (const statement of program.body) {
    for (const each of constantsOf(statement)) {
      if (addressIn(each)) replace(statement, '')
      else if (each.init && !isStill(each.init)) {
        // A bundler drops an unused call only when it is told that the call does nothing else.
        replace(each.init, `/* @__PURE__ */ (() => (${code.slice(each.init.start, each.init.end)}))()`)
      }
    }
  }
  return parts.join('') + code.slice(at)
}

/**
 * Throws where a module reads from an endpoint what the build leaves out, which would be undefined in the browser only (types may name it:
 * `z.infer<typeof listLinks.reply>`), and where one makes endpoints in a way that the build does not see.
 */
export function refuseLeftOut(code: string, file: string): void {
  const { program, module } = parseSync(file, code)
  const imported = module.staticImports
    .filter(({ moduleRequest }) => isContract(moduleRequest.value))
    .flatMap(({ entries }) => entries.map(({ localName }) => localName.value))
  const own = constantsIn(program).filter(addressIn)
  const endpoints = new Set([...imported, ...own.map(nameOf)])
  const isLeftOut = ({ start }: ESTree.Node) => own.some((each) => each.start < start && start < each.end)
  new Visitor({
    // biome-ignore-start lint/correctness/noComponentHookFactories: a visitor names what it visits so
    CallExpression: (call) => {
      if (!isEndpoint(call) || own.some(({ init }) => init === call)) return
      throw new Error(`${file} makes an endpoint without a name, or with a route that is no plain text`)
    },
    MemberExpression: (read) => {
      const { object, property } = read
      if (object.type !== 'Identifier' || !endpoints.has(object.name) || isLeftOut(read)) return
      if (property.type !== 'Identifier' || !leftOut.has(property.name)) return
      throw new Error(`${file} reads ${object.name}.${property.name}: give it a name of its own in the contract`)
    },
    // biome-ignore-end lint/correctness/noComponentHookFactories: as above
  }).visit(program)
}

const leftOut = new Set([
  ...['summary', 'params', 'query', 'body', 'reply', 'errors'],
  ...['access', 'audit', 'cost', 'makes', 'freshProof'],
])

const constantsIn = ({ body }: ESTree.Program): ESTree.VariableDeclarator[] => body.flatMap(constantsOf)

function constantsOf(statement: ESTree.Program['body'][number]): ESTree.VariableDeclarator[] {
  const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
  return declared?.type === 'VariableDeclaration' && declared.kind === 'const' ? declared.declarations : []
}

const nameOf = ({ id }: ESTree.VariableDeclarator): string => (id.type === 'Identifier' ? id.name : '')

/** Whether a value needs nothing to be made. */
const isStill = ({ type }: ESTree.Expression): boolean =>
  ['Literal', 'Identifier', 'ArrowFunctionExpression', 'FunctionExpression'].includes(type)

const isEndpoint = ({ callee }: ESTree.CallExpression): boolean =>
  callee.type === 'Identifier' && callee.name === 'endpoint'

/** What the owner app needs of `const getMe = endpoint('GET /api/me', …)`. */
function addressIn({ init }: ESTree.VariableDeclarator): { method: string; path: string } | null {
  const [route] = init?.type === 'CallExpression' && isEndpoint(init) ? init.arguments : []
  if (route?.type !== 'Literal' || typeof route.value !== 'string') return null
  const [method = '', path = ''] = route.value.split(' ')
  return { method, path }
}
