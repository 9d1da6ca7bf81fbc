"""The explorer: what a monitor saw, slide by slide, as one page to look at.

    events -> Recorder (watches a Monitor, takes notes) -> chunks of columns -> page (one HTML file, or served live)

- `legend`: the parts of properties, what labels cuts and colours states
- `recording`: the recorder and its notes
- `columns`: notes as compact plain data
- `page`: data and bundle as one HTML file
- `groups`: a recorder for each group of a stream
- `system`: all groups of a pipeline at a glance
- `feed`, `outputs`, `server`: slides as they come, from events or a pipeline's output folder, and the page over HTTP

The page itself is written in TypeScript (`explorer/` in the repository); its bundle is in `static/`.
"""
