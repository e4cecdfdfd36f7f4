#!/bin/sh
# Starts the browser of the tests ($TESTED_CHROMIUM) with one list of features to disable. Chromium obeys the last list only, which
# would lose Playwright's own.
features=
for argument; do
  shift
  case $argument in
    --disable-features=*) features="$features${features:+,}${argument#*=}" ;;
    *) set -- "$@" "$argument" ;;
  esac
done
exec "$TESTED_CHROMIUM" "$@" "--disable-features=$features"
