// Runs before everything else of the owner app. Its name rises with each change, because browsers keep it for a year.

// A chosen colour scheme must not flash in the other one.
{
  const mode = localStorage.getItem('mode')
  const dark = mode === 'dark' || (mode !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.mantineColorScheme = dark ? 'dark' : 'light'
}

// zod looks whether it may make functions from text when its first schema is made. The policy forbids it, and browsers report each try.
globalThis.__zod_globalConfig = { jitless: true }
