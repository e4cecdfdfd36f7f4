export function AdvertisePage() {
  return null
}
