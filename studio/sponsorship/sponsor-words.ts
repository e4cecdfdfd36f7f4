/**
 * The script of a sponsor's own page, and of nothing else: it is no part of the owner app. It counts while they type, says at once what is
 * too long, and shows it as readers will see it. The page works without it.
 */

import { wordsIn } from '../../server/publications/document/words-in.ts'
import { withScheme } from '../links/typed-address.ts'

const form = document.querySelector<HTMLFormElement>('form#creative')
const preview = document.querySelector<HTMLElement>('#creative-preview')
const fieldNamed = (name: string) => form?.querySelector<HTMLInputElement | HTMLTextAreaElement>(`#${name}`) ?? null
const shownAs = (name: string) => preview?.querySelector<HTMLElement>(`[data-shows="${name}"]`) ?? null
const plural = new Intl.PluralRules(document.documentElement.lang)

/** What the server said of a field goes when somebody changes it; what is wrong now is said instead. */
function say(field: HTMLElement, problem: string): void {
  const id = `${field.id}-problem`
  const before = document.getElementById(id)
  if (problem === '') {
    before?.remove()
    field.removeAttribute('aria-invalid')
    return
  }
  const line = before ?? document.createElement('p')
  line.id = id
  line.className = 'field-problem'
  line.setAttribute('role', 'status')
  if (!before) field.closest('form > div')?.append(line)
  if (line.textContent !== problem) line.textContent = problem
  field.setAttribute('aria-invalid', 'true')
  const described = (field.getAttribute('aria-describedby') ?? '').split(' ').filter(Boolean)
  if (!described.includes(id)) field.setAttribute('aria-describedby', [...described, id].join(' '))
}

/** What is too long, or nothing. */
function count(counter: HTMLElement, field: HTMLInputElement | HTMLTextAreaElement): string {
  const most = Number(counter.dataset.most)
  const used = counter.dataset.count === 'words' ? wordsIn(field.value) : field.value.trim().length
  const number = new Intl.NumberFormat(document.documentElement.lang)
  counter.textContent = (counter.dataset.used ?? '').replace('{used}', number.format(used))
  counter.classList.toggle('field-count-over', used > most)
  if (used <= most) return ''
  const sentence = plural.select(used - most) === 'one' ? counter.dataset.overOne : counter.dataset.overOther
  return (sentence ?? '').replace('{over}', number.format(used - most))
}

/** The address as a link may have it, or null. */
function webAddress(text: string): string | null {
  const typed = text.trim()
  return /^https?:\/\//i.test(typed) && URL.canParse(typed) ? typed : null
}

/** `example.org/page`, as people say an address. */
const namesHost = /^\s*[^\s:/@]+\.[^\s:/@.]{2,}(?:[/?#]|\s*$)/

function show(): void {
  for (const name of ['name', 'text', 'label']) {
    const [field, place] = [fieldNamed(name), shownAs(name)]
    if (field && place) place.textContent = field.value
  }
  const address = webAddress(fieldNamed('target')?.value ?? '')
  const link = shownAs('label')
  if (address) link?.setAttribute('href', address)
  else link?.removeAttribute('href')
  shownAs('image')?.setAttribute('alt', fieldNamed('alt')?.value ?? '')
}

/** The file that was chosen is shown from memory. It stays here until the form is sent. */
function showImage(file: File | undefined): void {
  const image = shownAs('image')
  const kept = image?.dataset.kept ?? image?.getAttribute('src') ?? ''
  if (!(image instanceof HTMLImageElement)) return
  image.dataset.kept = kept
  const isLeftOut = form?.querySelector<HTMLInputElement>('[name="leaveOut"]')?.checked && !file
  if (!file) {
    image.hidden = kept === '' || isLeftOut === true
    if (kept !== '') image.src = kept
    return
  }
  const reader = new FileReader()
  reader.addEventListener('load', () => {
    if (typeof reader.result === 'string') image.src = reader.result
    image.hidden = false
  })
  reader.readAsDataURL(file)
}

function begin(sponsor: HTMLFormElement): void {
  const counters = [...sponsor.querySelectorAll<HTMLElement>('[data-count]')]
  const counted = counters.flatMap((counter) => {
    const field = fieldNamed(counter.dataset.field ?? '')
    return field ? [{ counter, field }] : []
  })
  for (const { counter, field } of counted) {
    const problem = count(counter, field)
    if (problem) say(field, problem)
    field.addEventListener('input', () => say(field, count(counter, field)))
  }
  const target = fieldNamed('target')
  const isWrong = () => target !== null && target.value.trim() !== '' && webAddress(target.value) === null
  target?.addEventListener('change', () => {
    if (namesHost.test(target.value)) target.value = withScheme(target.value)
    say(target, isWrong() ? (target.dataset.wrong ?? '') : '')
    show()
  })
  // Before the field is left: a line that goes when the button is pressed takes the button away from under the pointer.
  target?.addEventListener('input', () => {
    if (!isWrong()) say(target, '')
  })
  const file = sponsor.querySelector<HTMLInputElement>('input[type="file"]')
  const chosen = () => {
    const [one] = file?.files ?? []
    const isLarge = one !== undefined && one.size > Number(file?.dataset.most)
    if (file) say(file, isLarge ? (file.dataset.large ?? '') : '')
    showImage(isLarge ? undefined : one)
  }
  file?.addEventListener('change', chosen)
  sponsor.querySelector('[name="leaveOut"]')?.addEventListener('change', chosen)
  sponsor.addEventListener('input', show)
  const live = preview?.querySelector<HTMLElement>('[data-live]')
  if (live) live.textContent = live.dataset.live ?? ''
  show()
}

if (form) begin(form)
