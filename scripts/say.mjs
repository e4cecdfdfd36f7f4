const french = /^fr/i.test(process.env.LC_ALL || process.env.LC_MESSAGES || process.env.LANG || '')

const sentences = {
  installing: [
    'Installing packages (a minute or two, the first time)…',
    'Installation des paquets (une à deux minutes, la première fois)…',
  ],
  building: ['Building the server and its pages…', 'Construction du serveur et de ses pages…'],
  seconds: ['%s s', '%s s'],
  notInstalled: [
    'The packages could not be installed; npm’s own words are above.',
    'Les paquets n’ont pas pu être installés ; le message de npm est ci-dessus.',
  ],
  notBuilt: ['The build failed; its own words are above.', 'La construction a échoué ; son message est ci-dessus.'],
  portTaken: [
    'Port %s is taken by another program. Stop that one, or choose another port: PORT=8080 npm start',
    'Le port %s est pris par un autre programme. Arrêtez-le, ou choisissez un autre port : PORT=8080 npm start',
  ],
  notThisMachine: [
    'There is no Node for %s in the npm registry: install Node 26 or newer and start again.',
    'Il n’y a pas de Node pour %s dans le registre npm : installez Node 26 ou plus récent et recommencez.',
  ],
}

/** A sentence in the language of the terminal. */
export const sentence = (key, value = '') => sentences[key][french ? 1 : 0].replace('%s', value)

/** Runs a step and prints how long it took. In a terminal the seconds count up meanwhile, so that whoever waits sees it alive. */
export async function timed(key, work) {
  const began = Date.now()
  const passed = () => sentence('seconds', String(Math.round((Date.now() - began) / 1000)))
  const { stdout } = process
  stdout.write(`  ${sentence(key)}`)
  const clock = stdout.isTTY && setInterval(() => stdout.write(`\r  ${sentence(key)} ${passed()}`), 1_000)
  try {
    const result = await work()
    stdout.write(stdout.isTTY ? `\r  ${sentence(key)} ${passed()}\n` : ` ${passed()}\n`)
    return result
  } catch (error) {
    stdout.write('\n')
    throw error
  } finally {
    clearInterval(clock)
  }
}

/** A problem that the person at the terminal can solve: printed without a stack. */
export class Refusal extends Error {}

/** Runs a script. An error is printed, a `Refusal` as one sentence, and the exit code becomes 1. */
export async function conclude(work) {
  try {
    await work()
  } catch (error) {
    console.error(error instanceof Refusal ? error.message : error)
    process.exitCode = 1
  }
}
