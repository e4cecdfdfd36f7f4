import { createHash } from 'node:crypto'
import { brotliDecompressSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { brandStyle, type PairingKey, pairingKeys } from '../newsletters/branding.ts'
import { translator } from '../translator.ts'
import { coverShapeNames, coverSvg } from './cover.ts'
import { pageFiles } from './files.ts'
import type { PageProps } from './frame.tsx'
import { PageCache } from './page-cache.ts'
import { answerPage, renderPage } from './render.ts'

const props = (pairing: PairingKey = 'gazette', more: Partial<PageProps> = {}): PageProps => ({
  t: translator('fr'),
  language: 'fr',
  title: 'Le port qui attend',
  description: 'Deux fois par jour.',
  style: brandStyle('#0C5C5A', pairing),
  newsletter: { name: 'Low Water', href: '/n/lowwater' },
  links: [{ label: 'Archives', href: '/n/lowwater', current: true }],
  canonical: 'https://example.org/n/lowwater/port',
  hrefIn: (language) => `/n/lowwater/port?language=${language}`,
  postalAddress: '4 quai de la Criée, 29770 Audierne',
  ...more,
})

test('a page names its language, title, address and its address in the other language', () => {
  const { html } = renderPage(props(), <main id="main">Bonjour</main>)
  expect(html).toMatch(/^<!doctype html><html lang="fr">/)
  expect(html).toContain('<title>Le port qui attend · Low Water</title>')
  expect(html).toContain('<link rel="canonical" href="https://example.org/n/lowwater/port"/>')
  expect(html).toContain('lang="en" hrefLang="en">English</a>')
  expect(html).toContain('Imprimé avec Tirage')
})

test('a title that has the newsletter’s name in it does not say it twice', () => {
  const titleOf = (title: string, name = 'Low Water') =>
    /<title>(.*?)<\/title>/.exec(renderPage({ ...props(), title, newsletter: { name, href: '/' } }, <main />).html)?.[1]
  expect(titleOf('Les formules de Low Water')).toBe('Les formules de Low Water')
  expect(titleOf('Low Water')).toBe('Low Water')
  expect(titleOf('Low Waters')).toBe('Low Waters · Low Water')
  expect(titleOf('Vous abonner à (C++).', '(C++)')).toBe('Vous abonner à (C++).')
})

test('a postal address of several lines stands on one line of the footer', () => {
  const { html } = renderPage(props('gazette', { postalAddress: 'Nora Bell\n4 Quay Street,\nWhitby' }))
  expect(html).toContain('<span>Nora Bell, 4 Quay Street, Whitby</span>')
})

test('its style is let through by its hash, nothing else is, and no script or style attribute is there', () => {
  const page = renderPage(props('affiche', { css: '.color-9a3412{color:#9a3412}' }), <main>Bonjour</main>)
  const style = /<style>(.*?)<\/style>/s.exec(page.html)?.[1] ?? ''
  expect(page.policy).toContain(`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`)
  expect(page.policy).not.toContain('unsafe')
  expect(page.html).not.toMatch(/<script|\sstyle="/)
})

test.each(pairingKeys)('%s: markup and style weigh at most 15 kB compressed, its fonts at most 85 kB', (pairing) => {
  const words = 'À marée basse, les bateaux de Ménez-Du s’appuient les uns sur les autres. '.repeat(60)
  const page = renderPage(props(pairing), <main>{words}</main>)
  expect(page.body('gzip').length).toBeLessThan(15_000)
  const style = brandStyle('#0C5C5A', pairing)
  const used = [style.display, style.text, style.ui].flatMap((face) =>
    [...pageFiles().fonts].filter(
      ([name]) => !name.includes('-rare.') && (name.startsWith(`${face}.`) || name.startsWith(`${face}-`)),
    ),
  )
  const weight = [...new Map(used)]
    .filter(([name]) => style.display === 'newsreader' || !name.startsWith('newsreader-display'))
    .map(([, font]) => font)
    .reduce((sum, font) => sum + font.length, 0)
  expect(weight).toBeLessThanOrEqual(85_000)
})

test('each character of ours is in one file of a face, so that no page fetches two for its usual words', () => {
  const characters = (file: string) => {
    const rule =
      pageFiles()
        .fontRules.split('@font-face')
        .find((each) => each.includes(file)) ?? ''
    const ranges = /unicode-range:([^;}]*)/.exec(rule)?.[1]?.split(',') ?? []
    return ranges.flatMap((range) => {
      const [first = 0, last = first] = range
        .slice(2)
        .split('-')
        .map((hex) => Number.parseInt(hex, 16))
      return Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at))
    })
  }
  const [ordinary, rare] = [characters('/newsreader.'), characters('/newsreader-rare.')]
  expect(ordinary.filter((each) => rare.includes(each))).toEqual([])
  for (const each of 'àâçéèêëîïôùûœæÀÉÈÊÇŒ«»’“”–—…€N°\u00a0\u202f') expect(ordinary).toContain(each)
})

test('fonts are named by their content, so that they may be kept for ever', () => {
  for (const [name, content] of pageFiles().fonts) {
    expect(name).toContain(`.${createHash('sha256').update(content).digest('hex').slice(0, 8)}.woff2`)
  }
})

test('an answer is compressed as the browser likes, and empty when it has the page', () => {
  const page = renderPage(props())
  const first = answerPage(page, { 'accept-encoding': 'gzip, br' })
  expect(first.headers['content-encoding']).toBe('br')
  expect(brotliDecompressSync(first.body ?? Buffer.alloc(0)).toString()).toBe(page.html)
  const etag = first.headers.etag
  expect(answerPage(page, { 'accept-encoding': 'gzip, br', 'if-none-match': etag })).toMatchObject({
    status: 304,
    body: null,
  })
  expect(answerPage(page, { 'accept-encoding': 'br;q=0, gzip' }).headers['content-encoding']).toBe('gzip')
  expect(answerPage(page, {}).headers['content-encoding']).toBeUndefined()
})

test('structured data cannot end its element', () => {
  const { html } = renderPage(props('gazette', { data: { name: '</script><script>alert(1)</script>' } }))
  expect(html.match(/<script/g)).toHaveLength(1)
})

test('the cache renders once for a version, again for the next, and forgets what failed', async () => {
  const cache = new PageCache()
  let rendered = 0
  const render = () => {
    rendered += 1
    return renderPage(props())
  }
  const [one, two] = await Promise.all([cache.get('n:fr', 1, render), cache.get('n:fr', 1, render)])
  expect(one).toBe(two)
  expect(rendered).toBe(1)
  await cache.get('n:fr', 2, render)
  expect(rendered).toBe(2)
  const fail = () => Promise.reject(new Error('no paper'))
  await expect(cache.get('n:fr', 3, fail)).rejects.toThrow('no paper')
  await cache.get('n:fr', 3, render)
  expect(rendered).toBe(3)
})

test('a cover is the same for the same newsletter, light, and another for another', () => {
  const style = brandStyle('#0C5C5A', 'gazette')
  fc.assert(
    fc.property(fc.string(), fc.constantFrom(...coverShapeNames), (seed, shape) => {
      const svg = coverSvg({ seed, inks: style, shape })
      expect(svg).toBe(coverSvg({ seed, inks: style, shape }))
      expect(svg.length).toBeLessThan(40_000)
      expect(svg).not.toMatch(/NaN|undefined/)
      expect(svg).not.toBe(coverSvg({ seed: `${seed}.`, inks: style, shape }))
    }),
  )
})

test('the cache holds so many bytes and no more', async () => {
  const page = renderPage(props())
  const cache = new PageCache(100, page.html.length * 2 * 3)
  let rendered = 0
  const render = () => {
    rendered += 1
    return page
  }
  for (const key of ['a', 'b', 'c', 'd']) await cache.get(key, 1, render)
  await cache.get('d', 1, render)
  expect(rendered).toBe(4)
  await cache.get('a', 1, render)
  expect(rendered).toBe(5)
})
