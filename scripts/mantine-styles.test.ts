import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { MantineFiles, stylesOfStudio } from './mantine-styles.ts'

const root = join(import.meta.dirname, '..')
const { first, behindSignIn } = stylesOfStudio()

test('every component that a file of the owner app imports has its style in a build', () => {
  const texts = globSync(join(root, 'studio', '**', '*.tsx')).map((file) => readFileSync(file, 'utf8'))
  const imported = texts.flatMap((text) =>
    [...text.matchAll(/^import \{([^}]*)\} from '@mantine\/core'/gm)].flatMap(([, names = '']) => names.split(',')),
  )
  const names = new Set(imported.map((each) => each.trim().replace(/ as .*/, '')))
  const styled = [...names].filter((name) =>
    existsSync(join(root, 'node_modules', '@mantine', 'core', 'styles', `${name}.layer.css`)),
  )
  expect(styled.length).toBeGreaterThan(20)
  expect(styled.filter((name) => !first.has(name) && !behindSignIn.has(name))).toEqual([])
})

test('the sign-in pages load the styles of their fields and notices, and none of tables and menus', () => {
  for (const name of ['Button', 'Input', 'PasswordInput', 'Checkbox', 'Notification']) expect(first).toContain(name)
  for (const name of ['Table', 'Menu', 'Combobox', 'NumberInput', 'Tabs']) {
    expect(first).not.toContain(name)
    expect(behindSignIn).toContain(name)
  }
})

test('styles come in Mantine’s own order, in its layer', () => {
  const mantine = new MantineFiles()
  expect(mantine.styles(['Button', 'UnstyledButton'])).toBe(mantine.styles(['UnstyledButton', 'Button']))
  expect(mantine.styles(['Button', 'UnstyledButton'])).toMatch(/^@layer mantine \{\.m_87cf2631 /)
  expect(() => mantine.styles(['Buttons'])).toThrow()
})
