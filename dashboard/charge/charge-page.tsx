export function ChargePage() {
  return null
}
