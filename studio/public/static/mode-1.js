// Runs before the first paint, so that a chosen colour scheme does not flash in the other one.
;(() => {
  const mode = localStorage.getItem('mode')
  const dark = mode === 'dark' || (mode !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.mantineColorScheme = dark ? 'dark' : 'light'
})()
