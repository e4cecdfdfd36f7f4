import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'

let room: TestNewsletter
beforeAll(async () => {
  room = await startTestNewsletter()
})
afterAll(() => room.stop())

test('a copy is called one, however long the title is and whatever stands where it is cut', async () => {
  const titleOfCopy = async (title: string) => {
    const { id } = await room.draft({ title })
    return (await room.owner.call('POST', `${room.path}/publications/${id}/duplicate`)).json().title
  }
  expect(await titleOfCopy('Low water')).toBe('Low water (copy)')
  expect(await titleOfCopy('🌊'.repeat(150))).toBe(`${'🌊'.repeat(142)} (copy)`)
  expect(await titleOfCopy('')).toBe('')
})

test('before it is sent, a copy asks for another title, in the language of its text', async () => {
  const codes = async (id: string) => {
    const { problems } = (await room.owner.call('GET', `${room.path}/publications/${id}/check`)).json()
    return problems.filter(({ code }: { code: string }) => code === 'copied_title')
  }
  for (const [language, title] of [
    ['en', 'Low water (copy)'],
    ['fr', 'Basse mer (copie)'],
  ]) {
    const made = await room.owner.call('POST', `${room.path}/publications`, { title, language })
    const { id, revision } = made.json()
    expect(await codes(id)).toEqual([{ code: 'copied_title', blocks: false, count: null }])
    await room.owner.call('PATCH', `${room.path}/publications/${id}`, { revision, title: 'Low water (copied)' })
    expect(await codes(id)).toEqual([])
  }
})
