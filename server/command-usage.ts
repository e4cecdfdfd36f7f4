/** A command at the beginning of its line, two spaces in; what belongs to it follows further in. */
const COMMAND = /^ {2}\S/

/** How one command is used: its lines of the usage of all, below the first one. */
export function usageOf(usage: string, command: string): string {
  const [first = '', ...lines] = usage.split('\n')
  const from = lines.findIndex((line) => COMMAND.test(line) && line.trim().split(' ')[0] === command)
  if (from < 0) return usage
  const rest = lines.slice(from + 1)
  const next = rest.findIndex((line) => COMMAND.test(line))
  return [first, '', lines[from], ...(next < 0 ? rest : rest.slice(0, next))].join('\n').trimEnd()
}
