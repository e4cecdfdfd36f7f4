import { dictionary } from '@zxcvbn-ts/language-common'
import { expect, test } from 'vitest'
import { weaknessOf } from './password-rules.ts'

const known = ['tirage', 'ada@lowwater.example', 'ada', 'lowwater.example', 'Ada Lovelace', 'Low Water']

test.each([
  // Of ten characters or more, and tried first by whoever guesses.
  ...[
    '1234567890',
    '0123456789',
    '0987654321',
    '1111111111',
    '12345678910',
    '1234512345',
    '1231231231',
    '123123123123',
  ],
  ...[
    'qwertyuiop',
    'poiuytrewq',
    'asdfghjkl1',
    'qwertyuiop123',
    '1q2w3e4r5t',
    '1qaz2wsx3edc',
    'q1w2e3r4t5',
    'azertyuiop',
  ],
  ...['password12', 'password123', 'Password123!', 'P4ssw0rd2024', 'passwordpassword', 'motdepasse1', 'passw0rd!!!'],
  ...[
    'iloveyou123',
    'basketball',
    'basketball1',
    'christopher',
    'alexander1',
    'manchester',
    'jennifer2010',
    'sunshine99',
  ],
  ...['letmein12345', 'welcome2024!', 'Bienvenue2026', 'football12', 'qwerty123456', 'trustno1trustno1', 'aaaaaaaaaa'],
  ...['ｐａｓｓｗｏｒｄ１２３', 'p a s s w o r d 1', 'abcabcabcabc', 'liverpool123', 'administrator', 'changeme123'],
])('%s is common', (password) => {
  expect(weaknessOf(password, known)).toBe('common')
})

test.each(['ada@lowwater.example', 'AdaLovelace12', 'lovelace1815', 'low water 2026', 'L0wW4ter!!', 'tirage2026'])(
  '%s is made of what is known',
  (password) => {
    expect(weaknessOf(password, known)).not.toBeNull()
  },
)

test.each([
  'correct horse battery',
  'four words are easy',
  'quiet boat seven',
  'xk29fhq7mw',
  'les quatre vents du large',
  '四つの言葉は覚えやすいです',
  'tirage de la lune rousse',
  'пять старых лодок',
])('%s is good: there are no rules about kinds of characters', (password) => {
  expect(weaknessOf(password, known)).toBeNull()
})

test('ten characters are the least, counted as people count them', () => {
  expect(weaknessOf('xk29fhq7m', [])).toBe('short')
  expect(weaknessOf('😀😁😂🤣😃😄😅', [])).toBe('short')
})

test('none of the 10,000 commonest passwords that is long enough is taken, nor any of 49,000', () => {
  const list = dictionary['passwords-common'].filter((each) => [...each].length >= 10 && !/\s/.test(each))
  expect(list.length).toBeGreaterThan(1_500)
  expect(list.filter((each) => weaknessOf(each, []) === null)).toEqual([])
})

test('128 characters are looked at without hanging', () => {
  for (const text of ['ab'.repeat(64), 'a'.repeat(127), 'qwerty'.repeat(21), 'x1'.repeat(64)]) weaknessOf(text, known)
})
