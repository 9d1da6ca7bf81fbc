"""The smart office, live: real programs that report to a real pipeline, which tells one of them what to do.

device.py    one device, a program of its own on `latwin.process`: phone, rfid or projector
office.py    starts the devices, the collector and the pipeline; ends them; compares with a local monitor

             messages (UDP, delayed)
    phone <------------------------> rfid <-----> projector
      ^  \\                            |              |
      |   \\___________ states _______|_____________|
      |                    |  HTTP, or Kafka
    verdicts           collector -> files -> Spark (latwin run)
      |_________________________________________|
"""
