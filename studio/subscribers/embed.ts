/**
 * The script of forms on other sites (`server/subscribers/embed/form.ts`), and of nothing else: it is no part of the owner app. It sends each form
 * `data-tirage` of its page and shows the answer below it, in the words of the server. Whatever it cannot do, the form does: it is sent as it is, to our page.
 */

interface Answer {
  state: 'asked' | 'stale' | 'proof' | 'typo' | 'refused'
  message: string
  meant?: { yes: string; no: string }
}

interface Challenge {
  parameters: { nonce: string; salt: string; cost: number; keyLength: number; keyPrefix: string }
}

// In a function, so that nothing of it is global in a page that is not ours.
void (() => {
  /** Numbers that are tried at once. A browser derives keys in threads of its own. */
  const AT_ONCE = 4

  const bytes = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16))
  const hex = (buffer: ArrayBuffer) =>
    Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, '0')).join('')

  /** The key of one number, as ALTCHA derives it (PBKDF2 of the nonce and the number, with SHA-256). */
  async function keyOf({ nonce, salt, cost, keyLength }: Challenge['parameters'], counter: number): Promise<string> {
    const number = counter.toString(16).padStart(8, '0')
    const password = await crypto.subtle.importKey('raw', bytes(nonce + number), 'PBKDF2', false, ['deriveBits'])
    const way = { name: 'PBKDF2', salt: bytes(salt), iterations: cost, hash: 'SHA-256' }
    return hex(await crypto.subtle.deriveBits(way, password, keyLength * 8))
  }

  /** A proof of work for a challenge, as the server reads it. */
  async function prove(challenge: Challenge): Promise<string> {
    for (let first = 0; ; first += AT_ONCE) {
      const counters = Array.from({ length: AT_ONCE }, (_, at) => first + at)
      const keys = await Promise.all(counters.map((counter) => keyOf(challenge.parameters, counter)))
      const at = keys.findIndex((key) => key.startsWith(challenge.parameters.keyPrefix))
      if (at >= 0) return btoa(JSON.stringify({ challenge, solution: { counter: first + at, derivedKey: keys[at] } }))
    }
  }

  function take(form: HTMLFormElement): void {
    const state = document.createElement('p')
    state.setAttribute('role', 'status')
    form.append(state)
    const email = form.querySelector<HTMLInputElement>('[name=email]')
    const send = async (more: Record<string, string> = {}): Promise<void> => {
      const body = new URLSearchParams()
      for (const [name, value] of new FormData(form)) body.append(name, String(value))
      for (const [name, value] of Object.entries(more)) body.set(name, value)
      const reply = await fetch(form.action, {
        method: 'POST',
        body,
        headers: { accept: 'application/json' },
        credentials: 'omit',
        referrerPolicy: 'origin',
      })
      const answer: Answer = await reply.json()
      if (answer.state === 'stale') throw new Error(answer.state)
      state.textContent = answer.message
      if (answer.state === 'asked') return form.reset()
      if (answer.state === 'proof') {
        if (more.proof) throw new Error(answer.state)
        const challenge = await fetch(form.action.replace(/\/?(\?|$)/, '/challenge$1'), { credentials: 'omit' })
        return send({ ...more, proof: await prove(await challenge.json()) })
      }
      email?.focus()
      for (const choice of answer.meant ? (['yes', 'no'] as const) : []) {
        const button = document.createElement('button')
        button.type = 'button'
        button.textContent = answer.meant?.[choice] ?? ''
        button.onclick = () => begin({ choice: choice === 'yes' ? 'meant' : 'typed' })
        state.append(' ', button)
      }
    }
    const begin = (more?: Record<string, string>) => {
      if (form.ariaBusy === 'true') return
      form.ariaBusy = 'true'
      send(more)
        .catch(() => form.submit())
        .finally(() => {
          form.ariaBusy = null
        })
    }
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      begin()
    })
  }

  const start = () => document.querySelectorAll<HTMLFormElement>('form[data-tirage]').forEach(take)
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', start)
  else start()
})()
