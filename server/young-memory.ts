import { setFlagsFromString } from 'node:v8'

/**
 * How fast V8's memory for new objects grows when many of them stay: it doubles, up to 48 MB in all, which sending needs
 * to be quick. Loading the program fills it once with objects that all stay, so it does not grow until then.
 */
export const holdYoungMemory = (): void => setFlagsFromString('--semi-space-growth-factor=1')
export const releaseYoungMemory = (): void => setFlagsFromString('--semi-space-growth-factor=2')
