/**
 * The script of the subscribe page under pressure, and of nothing else: it is no part of the owner app. It asks for a challenge, tries
 * numbers in threads, and puts the proof into the form (`server/subscribers/proof-of-work.ts`).
 */

import ProofWorker from 'altcha/workers/pbkdf2?worker'
import { type Challenge, solveChallengeWorkers } from 'altcha-lib'

const MAX_THREADS = 4

async function prove(field: HTMLInputElement): Promise<void> {
  const answer = await fetch(field.dataset.challenge ?? '')
  if (!answer.ok) throw new Error(`${answer.status}`)
  const challenge: Challenge = await answer.json()
  const concurrency = Math.min(MAX_THREADS, navigator.hardwareConcurrency || 1)
  const solution = await solveChallengeWorkers({ challenge, concurrency, createWorker: () => new ProofWorker() })
  if (!solution) throw new Error('no solution')
  field.value = btoa(JSON.stringify({ challenge, solution }))
}

const field = document.querySelector<HTMLInputElement>('input[name="proof"][data-challenge]')
const form = field?.form
const state = form?.querySelector<HTMLElement>('.proof-state')
if (field && form && state) {
  const say = (what: 'working' | 'ready' | 'failed') => {
    state.textContent = state.dataset[what] ?? ''
  }
  /** The button that was pressed before the proof was there. */
  let pressed: HTMLElement | null | undefined
  form.addEventListener('submit', (event) => {
    if (field.value !== '' || pressed === null) return
    event.preventDefault()
    pressed = event.submitter
  })
  say('working')
  prove(field)
    .then(
      () => say('ready'),
      () => say('failed'),
    )
    .finally(() => {
      const button = pressed
      pressed = null
      if (button) form.requestSubmit(button)
    })
}
