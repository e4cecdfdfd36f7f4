import { invalid } from './api-error.ts'
import { declarationsOf, nameOf, resolve, type Scope, type TypeNode } from './declarations.ts'
import type { Form } from './form.ts'

/**
 * Refuses what the published API refuses: unknown parameters, missing ones, wrong types and values that are not of an enumeration. What is
 * allowed is read from the SDK's own declarations, so that it is right for the version that is installed.
 *
 * @param file of the SDK's declarations, such as `Checkout/Sessions`
 * @param type its parameters, such as `Checkout.SessionCreateParams`
 * @returns the parameters with their types
 */
export function checkParameters(file: string, type: string, form: { [key: string]: Form }): object {
  const { declared, scope } = resolve(type.split('.'), declarationsOf(`resources/${file}`))
  if (declared.type !== 'TSInterfaceDeclaration') throw new Error(`${type} is no interface`)
  return checkInterface(form, { declared, scope }, '')
}

type Interface = ReturnType<typeof resolve>

const within = (path: string, name: string) => (path === '' ? name : `${path}[${name}]`)

function checkInterface(form: Form, { declared, scope }: Interface, path: string): object {
  if (typeof form === 'string') throw invalid('Invalid object', path)
  const { properties, rest } = propertiesOf({ declared, scope })
  const checked: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(form)) {
    const property = properties.get(name)
    const here = within(path, name)
    if (property) checked[name] = checkType(value, property, here)
    else if (rest) checked[name] = checkType(value, rest, here)
    else throw invalid(`Received unknown parameter: ${here}`, here, 'parameter_unknown')
  }
  for (const [name, { optional }] of properties) {
    if (optional || name in form) continue
    throw invalid(`Missing required param: ${within(path, name)}.`, within(path, name), 'parameter_missing')
  }
  return checked
}

interface Typed {
  node: TypeNode
  scope: Scope
}

interface Properties {
  properties: Map<string, Typed & { optional: boolean }>
  /** Of every other name. */
  rest: Typed | null
}

/** With those of the interfaces that it extends. */
function propertiesOf({ declared, scope }: Interface): Properties {
  const properties: Properties['properties'] = new Map()
  let rest: Typed | null = null
  if (declared.type !== 'TSInterfaceDeclaration') throw new Error(`${declared.id.name} is no interface`)
  for (const { expression } of declared.extends) {
    const parent = propertiesOf(resolve(nameOf(expression), scope))
    for (const [name, property] of parent.properties) properties.set(name, property)
    rest ??= parent.rest
  }
  for (const member of declared.body.body) {
    if (member.type === 'TSIndexSignature') rest = { node: member.typeAnnotation.typeAnnotation, scope }
    if (member.type !== 'TSPropertySignature' || member.key.type !== 'Identifier' || !member.typeAnnotation) continue
    const node = member.typeAnnotation.typeAnnotation
    properties.set(member.key.name, { node, scope, optional: member.optional })
  }
  return { properties, rest }
}

function checkType(form: Form, { node, scope }: Typed, path: string): unknown {
  switch (node.type) {
    case 'TSStringKeyword':
      return asText(form, path)
    case 'TSNumberKeyword':
      return asNumber(form, path)
    case 'TSBooleanKeyword':
      if (form !== 'true' && form !== 'false') throw invalid(`Invalid boolean: ${String(form)}`, path)
      return form === 'true'
    case 'TSLiteralType':
      return asLiteral(form, node, path)
    case 'TSUnionType':
      return asOneOf(
        form,
        node.types.map((each) => ({ node: each, scope })),
        path,
      )
    case 'TSTypeLiteral':
      return asRecord(form, { node, scope }, path)
    case 'TSTypeReference':
      return asReference(form, { node, scope }, path)
    default:
      throw new Error(`${path} has a type that is not understood: ${node.type}`)
  }
}

function asText(form: Form, path: string): string {
  if (typeof form !== 'string') throw invalid('Invalid string', path)
  if (form === '')
    throw invalid(`You passed an empty string for '${path}'. It cannot be unset.`, path, 'parameter_invalid_empty')
  if (form.length > 5000) throw invalid(`Invalid string: ${path} must be at most 5000 characters`, path)
  return form
}

function asNumber(form: Form, path: string): number {
  if (typeof form !== 'string' || !/^-?\d+(\.\d+)?$/.test(form))
    throw invalid(`Invalid integer: ${String(form)}`, path, 'parameter_invalid_integer')
  return Number(form)
}

function asLiteral(form: Form, node: Extract<TypeNode, { type: 'TSLiteralType' }>, path: string): unknown {
  const value = node.literal.type === 'Literal' ? node.literal.value : null
  if (form !== String(value)) throw invalid(`Invalid ${path}: must be ${String(value)}`, path)
  return value
}

const isOtherString = ({ node }: Typed) =>
  node.type === 'TSTypeReference' && nameOf(node.typeName).join('.') === 'OtherString'

function asOneOf(form: Form, types: Typed[], path: string): unknown {
  // `OtherString` is there for answers of later versions. A request takes the values that are listed.
  const allowed = types.filter((type) => type.node.type !== 'TSNullKeyword' && !isOtherString(type))
  let refusal: unknown
  for (const type of allowed) {
    try {
      return checkType(form, type, path)
    } catch (error) {
      refusal = error
    }
  }
  if (allowed.some(({ node }) => node.type !== 'TSLiteralType')) throw refusal
  const values = allowed.map(({ node }) =>
    node.type === 'TSLiteralType' && node.literal.type === 'Literal' ? String(node.literal.value) : '',
  )
  throw invalid(`Invalid ${path}: must be one of ${values.join(', ')}`, path)
}

function asRecord(
  form: Form,
  { node, scope }: { node: Extract<TypeNode, { type: 'TSTypeLiteral' }>; scope: Scope },
  path: string,
): object {
  const [member] = node.members
  if (member?.type !== 'TSIndexSignature') throw new Error(`${path} has a type that is not understood`)
  if (typeof form === 'string') throw invalid('Invalid object', path)
  const value = { node: member.typeAnnotation.typeAnnotation, scope }
  return Object.fromEntries(Object.entries(form).map(([key, each]) => [key, checkType(each, value, within(path, key))]))
}

function asReference(
  form: Form,
  { node, scope }: { node: Extract<TypeNode, { type: 'TSTypeReference' }>; scope: Scope },
  path: string,
): unknown {
  const name = nameOf(node.typeName)
  const [argument] = node.typeArguments?.params ?? []
  switch (name.join('.')) {
    case 'Array':
      if (typeof form === 'string' || !argument) throw invalid('Invalid array', path)
      return Object.entries(form).map(([index, each]) =>
        checkType(each, { node: argument, scope }, within(path, index)),
      )
    case 'Emptyable':
      if (form === '' || !argument) return ''
      return checkType(form, { node: argument, scope }, path)
    case 'OtherString':
      return asText(form, path)
    case 'MetadataParam':
      return asMetadata(form, path)
    case 'Decimal':
      return asNumber(form, path)
  }
  const found = resolve(name, scope)
  if (found.declared.type === 'TSInterfaceDeclaration') return checkInterface(form, found, path)
  return checkType(form, { node: found.declared.typeAnnotation, scope: found.scope }, path)
}

/** Up to 50 keys of 40 characters with values of 500 (docs.stripe.com/api/metadata). */
function asMetadata(form: Form, path: string): Record<string, string> {
  if (typeof form === 'string') throw invalid('Invalid object', path)
  const entries = Object.entries(form).map(([key, value]): [string, string] => {
    if (typeof value !== 'string' || key.length > 40 || value.length > 500)
      throw invalid(`Metadata is too long or no text: ${key}`, within(path, key))
    return [key, value]
  })
  if (entries.length > 50) throw invalid('Metadata has at most 50 keys', path)
  return Object.fromEntries(entries)
}
