import { expect, test } from 'vitest'
import { brandStyle } from '../newsletters/branding.ts'
import { translator } from '../translator.ts'
import type { PublicationMailProps } from './frame.email.tsx'
import { renderPublicationMail, renderSystemMail } from './render.ts'

const style = brandStyle('#0C5C5A', 'gazette')

const publication: PublicationMailProps = {
  t: translator('fr'),
  language: 'fr',
  title: 'Le port qui attend',
  preheader: 'Deux fois par jour.',
  style,
  newsletter: 'Low Water',
  number: 12,
  date: '21 novembre 2026',
  webAddress: 'https://example.org/n/lowwater/port',
  standfirst: 'Ménez-Du se vide de sa mer.',
  body: (
    <table>
      <tbody>
        <tr>
          <td>Texte</td>
        </tr>
      </tbody>
    </table>
  ),
  unsubscribeAddress: 'https://example.org/unsub/n/s',
  postalAddress: '4 quai de la Criée, 29770 Audierne',
}

test('a publication has its masthead, its text and its unsubscribe link, in HTML and in plain text', () => {
  const { html, text } = renderPublicationMail(publication, 'Texte\n')
  expect(html).toMatch(/^<!doctype html>\n<html lang="fr" dir="ltr">/)
  expect(html).toContain('N°\u00A012, 21 novembre 2026')
  expect(html).toContain('<a href="https://example.org/unsub/n/s" style="color:#0C5C5A">Se désabonner</a>')
  expect(text).toContain('Le port qui attend\n==================\n')
  expect(text).toContain('Se désabonner\u00A0: https://example.org/unsub/n/s\n')
  for (const words of ['Low Water', 'Texte', '4 quai de la Criée, 29770 Audierne', 'Ménez-Du se vide de sa mer.']) {
    expect(html).toContain(words)
    expect(text).toContain(words)
  }
})

test('a postal address keeps its lines, in HTML and in plain text', () => {
  const postalAddress = 'Nora Bell\r\n4 Quay Street\n\nWhitby'
  const { t, language, style } = publication
  const short = { t, language, style, from: 'Low Water', title: 'Bonjour', preheader: '', paragraphs: [], action: null }
  for (const mail of [
    renderPublicationMail({ ...publication, postalAddress }, 'Texte'),
    renderSystemMail({ ...short, postalAddress }),
  ]) {
    expect(mail.html).toMatch(/Nora Bell<br\s?\/?>4 Quay Street<br\s?\/?>Whitby/)
    expect(mail.text).toContain('\nNora Bell\n4 Quay Street\nWhitby\n')
  }
})

test('the preheader is there for the inbox and hidden in the mail', () => {
  const { html } = renderPublicationMail(publication, '')
  expect(html).toMatch(/<div class="pre" style="max-height:0;overflow:hidden[^>]*>Deux fois par jour\./)
  expect(html).toContain('.pre{display:none}')
})

test('light colours are inline; one media query changes them in dark mode; no style is loaded', () => {
  const { html } = renderPublicationMail({ ...publication, rules: '.x{color:#000}' }, '')
  expect(html.match(/prefers-color-scheme:dark/g)).toHaveLength(1)
  expect(html).not.toMatch(/<script|<link|@import|url\(/)
  expect(html).toContain('.x{color:#000}')
})

test('the bar of a quotation has the accent of dark mode there', () => {
  const { html } = renderPublicationMail(publication, '')
  expect(html.split('prefers-color-scheme:dark')[1]).toContain(`.qt{border-color:${style.accentNight} !important}`)
})

test('a mail without number, web page, subtitle or address shows nothing in their place', () => {
  const bare = { ...publication, number: null, webAddress: null, standfirst: null, postalAddress: null }
  const { html, text } = renderPublicationMail(bare, 'Texte')
  expect(html).not.toContain('null')
  expect(text).toMatch(/^Low Water\n21 novembre 2026\n\nLe port/)
})

test.each(['en', 'fr'] as const)('a system mail has its action as a button and as an address (%s)', (language) => {
  const address = 'https://example.org/confirm/abc'
  const { html, text } = renderSystemMail({
    t: translator(language),
    language,
    style,
    from: 'Low Water',
    title: 'Confirm',
    preheader: 'One press',
    paragraphs: ['Press once.'],
    action: { label: 'Confirm', address },
  })
  expect(html).toContain(`<a href="${address}" style="display:inline-block`)
  expect(text).toContain(`\n${address}\n`)
  expect(html).toContain(translator(language)('email.ignore'))
})

test('a long address is a button, and stands whole below it and on its own line of the text, for whoever has to copy it', () => {
  const address = `https://example.org/sponsor/confirm/${'x'.repeat(400)}`
  const { html, text } = renderSystemMail({
    ...{ t: translator('en'), language: 'en', style, from: 'Low Water', title: 'Confirm', preheader: '' },
    ...{ paragraphs: [], action: { label: 'Confirm', address } },
  })
  expect(text).toContain(`\n${address}\n`)
  expect(html.split(`href="${address}"`)).toHaveLength(3)
  expect(html.replaceAll(/<[^>]*>/g, '')).toContain(`follow this link: ${address}`)
})

test('names from people are text, never markup', () => {
  const { html } = renderPublicationMail({ ...publication, newsletter: '<b>x</b>', title: '<script>' }, '')
  expect(html).not.toMatch(/<b>x|<script>/)
})
