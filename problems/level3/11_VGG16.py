import torch
import torch.nn as nn


class Model(nn.Module):
    """VGG-16: thirteen 3x3 convolutions in five stages, then three linear layers.

    Every convolution is followed by ReLU, every stage by 2x2 max pooling; dropout
    has rate 0. x has shape (batch_size, 3, 224, 224), the result
    (batch_size, num_classes). The first linear layer fixes the image size to 224 by
    224. With the default initialisation the result hardly depends on x.
    """

    def __init__(self, num_classes: int = 1000) -> None:
        super().__init__()
        stages = ((64, 2), (128, 2), (256, 3), (512, 3), (512, 3))
        features: list[nn.Module] = []
        channels = 3
        for width, convolutions in stages:
            for _ in range(convolutions):
                features.append(nn.Conv2d(channels, width, kernel_size=3, padding=1))
                features.append(nn.ReLU(inplace=True))
                channels = width
            features.append(nn.MaxPool2d(kernel_size=2, stride=2))
        self.features = nn.Sequential(*features)

        self.classifier = nn.Sequential(
            nn.Linear(512 * 7 * 7, 4096),
            nn.ReLU(inplace=True),
            nn.Dropout(p=0.0),
            nn.Linear(4096, 4096),
            nn.ReLU(inplace=True),
            nn.Dropout(p=0.0),
            nn.Linear(4096, num_classes),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.classifier(torch.flatten(self.features(x), 1))


batch_size = 10
num_classes = 1000


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, 3, 224, 224)]


def get_init_inputs() -> list:
    return [num_classes]
